/**
 * The call endpoints: decode, call the channel, answer.
 */
import type { CallGroup } from "@watchword/api/CallGroup"
import { Call } from "@watchword/call/Call"
import { ListBody } from "@watchword/pagination/ListBody"
import { FlashCall, ReportCall } from "@watchword/schemas/Call"
import * as Effect from "effect/Effect"
import { type Handlers, reading, sending, told } from "./Handlers.ts"
import { decoder } from "./Payload.ts"

export const make: Effect.Effect<Handlers<typeof CallGroup>, never, Call> = Effect.map(Call, (call) => ({
  flash: sending(decoder(FlashCall), call.flash),
  get: reading(({ id, principal }) => call.get(principal, id)),
  list: reading(told(decoder(ListBody, {}), call.list)),
  hangup: ({ id, principal }) => call.hangup(principal, id),
  report: told(decoder(ReportCall), call.report)
}))
