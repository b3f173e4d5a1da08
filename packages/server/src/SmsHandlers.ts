/**
 * The SMS endpoints: decode, call the channel, answer.
 */
import type { SmsGroup } from "@watchword/api/SmsGroup"
import { ListBody } from "@watchword/pagination/ListBody"
import { ReportSms, SendSms } from "@watchword/schemas/Sms"
import { Sms } from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import { type Handlers, reading, sending, told } from "./Handlers.ts"
import { decoder } from "./Payload.ts"

export const make: Effect.Effect<Handlers<typeof SmsGroup>, never, Sms> = Effect.map(Sms, (sms) => ({
  send: sending(decoder(SendSms), sms.send),
  get: reading(({ id, principal }) => sms.get(principal, id)),
  list: reading(told(decoder(ListBody, {}), sms.list)),
  report: told(decoder(ReportSms), sms.report)
}))
