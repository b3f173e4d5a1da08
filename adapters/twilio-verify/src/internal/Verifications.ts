/**
 * Verifications: create, which is a resend while one is pending, fetch, cancel and approve.
 *
 * Source: https://www.twilio.com/docs/verify/api/verification.
 */
import { parse } from "@watchword/schemas/PhoneNumber"
import type { Verification } from "@watchword/schemas/Verification"
import * as Effect from "effect/Effect"
import { Refused, invalid, json, notFound } from "./Answers.ts"
import type { Answered, Asked } from "./Asked.ts"
import * as Channels from "./Channels.ts"
import type { VerifyService } from "./Services.ts"
import { verificationOf } from "./Sids.ts"
import { isGone, written } from "./Written.ts"

export const create = Effect.fnUntraced(function* (asked: Asked, service: VerifyService) {
  const { api, fields, isFlashCalled } = asked
  const to = yield* fields.required("To")
  const channel = yield* Channels.read(yield* fields.required("Channel"), isFlashCalled)
  const body = {
    to,
    purpose: service.purpose,
    ...workflowOf(channel, service),
    ...(yield* termsOf(asked))
  }
  const other = channel === null ? null : yield* pendingByAnother(asked, service, to, channel)
  const verification = yield* api.start({ ...body, ...(other === null ? {} : yield* inPlaceOf(asked, other)) })
  return json(201, written(asked, service, verification))
})

/** Steps of a channel that the app names, or the service's workflow. */
const workflowOf = (channel: string | null, { workflow }: VerifyService) => {
  if (channel !== null) return { workflow: [{ channel, timeout: LONGEST_STEP }] }
  return workflow === null ? {} : { workflow }
}

/** In seconds. No step follows the only one. */
const LONGEST_STEP = 900

const termsOf = Effect.fnUntraced(function* ({ fields, services }: Asked) {
  const code = yield* fields.text("CustomCode")
  const template = yield* fields.text("TemplateSid")
  const given = {
    locale: yield* fields.text("Locale"),
    template: template === null ? null : yield* services.templateOf(template),
    variables: yield* fields.entries("TemplateCustomSubstitutions"),
    app_hash: yield* fields.text("AppHash"),
    client_ip: yield* fields.text("DeviceIp"),
    metadata: yield* fields.entries("Tags"),
    code,
    // The app takes the last code that it has given.
    replace: code === null ? null : true
  }
  yield* fields.entries("ChannelConfiguration")
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
})

/** The pending verification of a number whose code was sent by another channel; null for none. */
const pendingByAnother = Effect.fnUntraced(function* (
  asked: Asked,
  service: VerifyService,
  to: string,
  channel: string
) {
  const found = yield* newest(asked, service, to, { status: "pending" })
  return found === null || isGone(found, asked.now()) || found.channel === channel ? null : found
})

/**
 * Ends a pending verification for another one by another channel, which has the sends and the checks that are left. A
 * step of another channel is not in the plan of the first one.
 */
const inPlaceOf = Effect.fnUntraced(function* ({ api, now }: Asked, pending: Verification) {
  const wait = Math.ceil((Date.parse(pending.resend_at) - now()) / 1000)
  if (wait > 0) {
    const message = "Too many concurrent requests for phone number."
    return yield* new Refused({ code: 60212, message, retryAfter: wait })
  }
  if (pending.sends_left === 0) return yield* new Refused({ code: 60203, message: "Max send attempts reached" })
  yield* api.cancel(pending.id)
  return { max_sends: pending.sends_left, max_checks: pending.checks_left }
})

/** The newest verification of a number; null for none, and for a number that is none. */
export const newest = ({ api }: Asked, { purpose }: VerifyService, to: string, more: object = {}) => {
  const { number } = parse(to)
  if (number === null) return Effect.succeed(null)
  const asked = { rows_per_page: 1, filter: { to: number, purpose, ...more } }
  return Effect.map(api.list(asked), ({ list: [first = null] }) => first)
}

/** A verification by its `VE…`, or by its number; one that has ended is gone. */
export const find = Effect.fnUntraced(function* (asked: Asked, service: VerifyService, sid: string, path: string) {
  const id = verificationOf(sid)
  const found = id === null ? yield* newest(asked, service, sid) : yield* asked.api.get(id).pipe(named(path))
  if (found === null || found.purpose !== service.purpose || isGone(found, asked.now())) return yield* notFound(path)
  return found
})

const named = (path: string) =>
  Effect.mapError((refused: Refused): Refused => (refused.code === 20404 ? notFound(path) : refused))

export const fetch = (asked: Asked, service: VerifyService, sid: string, path: string): Answered =>
  Effect.map(find(asked, service, sid, path), (verification) => json(200, written(asked, service, verification)))

export const update = Effect.fnUntraced(function* (asked: Asked, service: VerifyService, sid: string, path: string) {
  const { api, fields } = asked
  const status = (yield* fields.required("Status")).toLowerCase()
  if (status !== "canceled" && status !== "approved") return yield* invalid("Status must be canceled or approved.")
  const { id } = yield* find(asked, service, sid, path)
  const ended = yield* (status === "canceled" ? api.cancel(id) : api.report(id, { status })).pipe(named(path))
  // It may have expired between the two.
  if (ended.status !== status) return yield* notFound(path)
  return json(200, written(asked, service, ended))
})
