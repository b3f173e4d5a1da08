/**
 * Verifications: create, which is a resend while one is pending, fetch, cancel and approve.
 *
 * Source: https://www.twilio.com/docs/verify/api/verification.
 */
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Verification } from "watchword"
import { type Refused, invalid, json, notFound } from "./Answers.ts"
import type { Answered, Asked, VerifyService } from "./Asked.ts"
import type { Called } from "./Calls.ts"
import * as Channels from "./Channels.ts"
import { verificationOf } from "./Sids.ts"
import { isGone, written } from "./Written.ts"

export const create = Effect.fnUntraced(function* (asked: Asked, service: VerifyService) {
  const { calls, fields, isFlashCalled } = asked
  const to = yield* fields.required("To")
  const channel = yield* Channels.read(yield* fields.required("Channel"), isFlashCalled)
  const body = {
    to,
    purpose: service.purpose,
    ...workflowOf(channel, service),
    ...(yield* termsOf(asked))
  }
  const verification = yield* Effect.catchTag(calls.start(body), "Refused", (refused) =>
    // Another payment needs another code.
    refused.reason === "other_bind" ? calls.start({ ...body, replace: true }) : Effect.fail(refused)
  )
  return json(201, written(asked, service, verification))
})

/** The channel that the app names, which a pending verification changes to, or the service's workflow. */
const workflowOf = (channel: string | null, { workflow }: VerifyService) => {
  if (channel !== null) return { workflow: [{ channel, timeout: LONGEST_STEP }], switch_channel: true }
  return workflow === null ? {} : { workflow }
}

/** In seconds. No step follows the only one. */
const LONGEST_STEP = 900

const termsOf = Effect.fnUntraced(function* ({ fields, services }: Asked) {
  const code = yield* fields.text("CustomCode")
  const locale = yield* fields.text("Locale")
  const template = yield* fields.text("TemplateSid")
  const variables = yield* fields.entries("TemplateCustomSubstitutions")
  const app_hash = yield* fields.text("AppHash")
  const client_ip = yield* fields.text("DeviceIp")
  const metadata = yield* fields.entries("Tags")
  const bind = yield* fields.payment
  const limit_keys = yield* fields.entries("RateLimits")
  yield* fields.entries("ChannelConfiguration")
  return {
    // The app takes the last code that it has given.
    ...(code !== null && { code, replace: true }),
    ...(locale !== null && { locale }),
    ...(template !== null && { template: yield* services.templateOf(template) }),
    ...(variables !== null && { variables }),
    ...(app_hash !== null && { app_hash }),
    ...(client_ip !== null && { client_ip }),
    ...(metadata !== null && { metadata }),
    ...(bind !== null && { bind }),
    ...(limit_keys !== null && { limit_keys })
  }
})

/** The newest verification of a number; null without one, and for a text that is not a valid number. */
export const newest = ({ calls }: Asked, { purpose }: VerifyService, to: string): Called<Verification | null> => {
  const { number } = parse(to)
  if (number === null) return Effect.succeed(null)
  return Effect.map(
    calls.list({ rows_per_page: 1, filter: { to: number, purpose } }),
    ({ list: [first = null] }) => first
  )
}

/** A verification by its `VE…`, or by its number. A verification that has ended is gone. */
export const find = Effect.fnUntraced(function* (asked: Asked, service: VerifyService, sid: string, path: string) {
  const id = verificationOf(sid)
  const found = id === null ? yield* newest(asked, service, sid) : yield* asked.calls.get(id).pipe(named(path))
  if (found === null || found.purpose !== service.purpose || isGone(found, yield* Clock.currentTimeMillis))
    return yield* notFound(path)
  return found
})

const named = (path: string) =>
  Effect.mapError((refused: Refused): Refused => (refused.code === 20404 ? notFound(path) : refused))

export const fetch = (asked: Asked, service: VerifyService, sid: string, path: string): Answered =>
  Effect.map(find(asked, service, sid, path), (verification) => json(200, written(asked, service, verification)))

export const update = Effect.fnUntraced(function* (asked: Asked, service: VerifyService, sid: string, path: string) {
  const { calls, fields } = asked
  const status = (yield* fields.required("Status")).toLowerCase()
  if (status !== "canceled" && status !== "approved") return yield* invalid("Status must be canceled or approved.")
  const { id } = yield* find(asked, service, sid, path)
  const ended = yield* (status === "canceled" ? calls.cancel(id) : calls.report(id, { status })).pipe(named(path))
  // It may have expired between the two.
  if (ended.status !== status) return yield* notFound(path)
  return json(200, written(asked, service, ended))
})
