/**
 * The interface without sockets: every operation, by its OpenAPI document, with bodies, paths and headers spoilt.
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

/** A path as it is, seldom with another id, query or end. */
const pathOf = (path: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: text(30).map((other) => path.replace(/[^/]*$/, encodeURIComponent(other.toWellFormed()))) },
    { weight: 1, arbitrary: text(30).map((other) => `${path}?to=${other}&wait=${other}`) },
    { weight: 1, arbitrary: text(30).map((other) => `/${other}`) }
  )

const request = fc.constantFrom(...operations).chain(({ example, method, path }) =>
  fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) }
    ),
    path: pathOf(path),
    headers,
    body: fc.oneof(
      { weight: 4, arbitrary: body(example ?? {}).map(bytes) },
      { weight: 1, arbitrary: spoilt(example ?? {}).map(parsed) }
    )
  })
)

/** @param world a service that is opened for the run */
const subjects = (world: World) => [
  subject("requests", fc.array(request, { minLength: 10, maxLength: 10 }), async (requests) => {
    const { account, key, service } = world
    const faults = await Promise.all(
      requests.map(async (each) => {
        const sent = { "x-account-id": account, "x-api-key": key, "content-type": "application/json", ...each.headers }
        const { body, status } = await service.handle({ ...each, headers: sent, remoteAddress: "192.0.2.1" })
        // A page of the OpenAPI document and the like are no envelopes.
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
      // Each run has ten requests.
      const result = await kindOf("interface", 1, subjects(world)).run(Math.ceil(count / 10), seed)
      return { ...result, inputs: result.inputs * 10 }
    } finally {
      await world.close()
    }
  }
}
