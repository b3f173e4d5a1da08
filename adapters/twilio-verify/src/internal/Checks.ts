/**
 * Checks of a code.
 *
 * Source: https://www.twilio.com/docs/verify/api/verification-check.
 */
import { parse } from "@watchword/schemas/PhoneNumber"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { VerificationChecked } from "watchword"
import { Refused, json, notFound, time } from "./Answers.ts"
import type { Asked, VerifyService } from "./Asked.ts"
import * as Channels from "./Channels.ts"
import { accountSid, verificationSid } from "./Sids.ts"
import { find, newest } from "./Verifications.ts"
import { createdAt, isGone } from "./Written.ts"

/** The sixth check is refused with 60202, and a verification that has ended is not there. */
export const create = Effect.fnUntraced(function* (asked: Asked, service: VerifyService, path: string) {
  const { calls, fields } = asked
  const sid = yield* fields.text("VerificationSid")
  const to = sid === null ? yield* fields.text("To") : null
  if (sid === null && to === null) {
    return yield* new Refused({ code: 60200, message: "Missing required parameter To or VerificationSid" })
  }
  const code = yield* fields.required("Code")
  const bind = yield* fields.payment
  const found = sid === null ? null : yield* find(asked, service, sid, path)
  const named = found === null ? { to: to ?? "", purpose: service.purpose } : found.id
  const checked = yield* Effect.catchTag(
    calls.check(named, { code, ...(bind !== null && { bind }) }),
    "Refused",
    (refused) =>
      Effect.flatMap(isOver(asked, service, to, refused), (gone) => Effect.fail(gone ? notFound(path) : refused))
  )
  if (checked.status === "canceled" || checked.status === "expired" || checked.status === "blocked") {
    return yield* notFound(path)
  }
  return json(200, {
    ...written(asked, service, checked, found?.to ?? parse(to ?? "").number ?? to ?? ""),
    amount: bind?.amount ?? null,
    payee: bind?.payee ?? null,
    date_updated: time(yield* Clock.currentTimeMillis)
  })
})

/** Whether a verification whose checks are refused has expired, or does not exist. */
const isOver = (asked: Asked, service: VerifyService, to: string | null, { code }: Refused) => {
  if (code === 20404) return Effect.succeed(true)
  if (code !== 60202 || to === null) return Effect.succeed(false)
  return Effect.zipWith(
    newest(asked, service, to),
    Clock.currentTimeMillis,
    (last, now) => last !== null && isGone(last, now)
  )
}

const written = ({ account }: Asked, service: VerifyService, checked: VerificationChecked, to: string) => ({
  sid: verificationSid(checked.verification_id),
  service_sid: service.sid,
  account_sid: accountSid(account),
  to,
  channel: Channels.written(checked.channel),
  status: statusAfter(checked),
  valid: checked.valid,
  sna_attempts_error_codes: [],
  date_created: createdAt(checked.verification_id)
})

/** The fifth wrong code ends a verification, and is answered like the first. */
const statusAfter = ({ checks_left: left, status, valid }: VerificationChecked): string => {
  if (valid) return "approved"
  return status === "failed" && left > 0 ? "failed" : "pending"
}
