/**
 * The interface without sockets: every operation of its OpenAPI document, with spoilt bodies, paths and headers.
 */
import { bytes, parsed } from "@watchword/server/Host"
import * as fc from "fast-check"
import { faultOf } from "../answers.ts"
import { operations } from "../contract.ts"
import { body, headerValue, spoilt, text } from "../inputs.ts"
import type { Kind } from "../Kind.ts"
import { kindOf, subject } from "../properties.ts"
import { type World, openWorld } from "../World.ts"

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "\0"]

const NAMES = ["x-request-id", "idempotency-key", "content-type", "content-encoding", "x-forwarded-for", "traceparent"]

const headers = fc.dictionary(fc.constantFrom(...NAMES), headerValue, { maxKeys: 3 })

/** A path, usually unchanged, seldom with another id, query or ending. */
const pathOf = (path: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: text(30).map((other) => path.replace(/[^/]*$/, encodeURIComponent(other.toWellFormed()))) },
    { weight: 1, arbitrary: text(30).map((other) => `${path}?to=${other}&wait=${other}`) },
    { weight: 1, arbitrary: text(30).map((other) => `/${other}`) }
  )

/** Replaces the ids of examples with ids that exist. */
type Write = (text: string) => string

/** A message on each channel and a verification in the sandbox, by the first part of their paths. */
const openIds = async ({ account, service }: World): Promise<ReadonlyMap<string, Write>> => {
  const caller = { account, sandbox: true }
  const to = "+4915123456780"
  const { messageId } = await service.sms.send(caller, { to, text: "Your code is 123456" })
  const { request_id, uuid: chat } = await service.chatgw.send(caller, { to, code: "123456" })
  const { uuid: business } = await service.bizchat.send(caller, { to, text: "Your code is 123456" })
  const { uuid: call } = await service.call.flash(caller, { callee: to, max_ring_time: 60 })
  const { id } = await service.verify.start(caller, { to, max_checks: 10, ttl: 3_600 })
  const writing =
    (uuid: string): Write =>
    (text) =>
      text.replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, uuid)
  return new Map<string, Write>(
    Object.entries({
      sms: (text: string) => text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, messageId),
      chatgw: (text: string) => writing(chat)(text).replaceAll(/"request_id":"[^"]*"/g, `"request_id":"${request_id}"`),
      bizchat: writing(business),
      call: writing(call),
      verifications: (text: string) => text.replaceAll(/vrf_[0-9A-Z]{26}/g, id)
    })
  )
}

const request = fc.constantFrom(...operations).chain(({ example, method, path }) =>
  fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) }
    ),
    path: pathOf(path),
    isKnown: fc.boolean(),
    headers,
    body: fc.oneof({ weight: 4, arbitrary: body(example ?? {}) }, { weight: 1, arbitrary: spoilt(example ?? {}) })
  })
)

/** @param world a service that is opened for the run */
const subjects = (world: World, ids: ReadonlyMap<string, Write>) => [
  subject("requests", fc.array(request, { minLength: 10, maxLength: 10 }), async (requests) => {
    const { account, key, service } = world
    const faults = await Promise.all(
      requests.map(async ({ isKnown, ...each }) => {
        const known = ids.get(each.path.split("/")[1] ?? "")
        const write: Write = isKnown && known !== undefined ? known : (text) => text
        const given = Buffer.isBuffer(each.body)
          ? bytes(isKnown ? Buffer.from(write(each.body.toString("latin1")), "latin1") : each.body)
          : parsed(each.body)
        const sent = { "x-account-id": account, "x-api-key": key, "content-type": "application/json", ...each.headers }
        const { body, status } = await service.handle({
          method: each.method,
          path: write(each.path),
          headers: sent,
          body: given,
          remoteAddress: "192.0.2.1"
        })
        // The page of the OpenAPI document and the like do not use the envelope.
        return status === 204 ? undefined : faultOf(status, String(body ?? ""), [key])
      })
    )
    return faults.find((fault) => fault !== undefined) ?? world.readLog()
  })
]

export const direct: Kind = {
  name: "interface",
  share: 9,
  run: async (count, seed) => {
    const world = await openWorld()
    try {
      // Each run sends ten requests.
      const result = await kindOf("interface", 1, subjects(world, await openIds(world))).run(
        Math.ceil(count / 10),
        seed
      )
      return { ...result, inputs: result.inputs * 10 }
    } finally {
      await world.close()
    }
  }
}
