/**
 * The call endpoints: decode, call the channel, answer.
 */
import type { CallGroup } from "@watchword/api/CallGroup"
import { Call } from "@watchword/call/Call"
import { ListBody } from "@watchword/pagination/ListBody"
import { FlashCall, ReportCall } from "@watchword/schemas/Call"
import * as Effect from "effect/Effect"
import { type Handlers, reading } from "./Handlers.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"

export const make: Effect.Effect<Handlers<typeof CallGroup>, never, Call> = Effect.map(Call, (call) => {
  const flashCall = Payload.decoder(FlashCall)
  const listBody = Payload.decoder(ListBody, {})
  const reportCall = Payload.decoder(ReportCall)
  return {
    flash: ({ principal, request }) =>
      Effect.flatMapEager(flashCall(request), (body) =>
        Effect.flatMapEager(requestKeys(request), (keys) => call.flash(principal, body, keys))
      ),
    get: reading(({ id, principal }) => call.get(principal, id)),
    list: reading(({ principal, request }) =>
      Effect.flatMapEager(listBody(request), (body) => call.list(principal, body))
    ),
    hangup: ({ id, principal }) => call.hangup(principal, id),
    report: ({ principal, request }) => Effect.flatMapEager(reportCall(request), (body) => call.report(principal, body))
  }
})
