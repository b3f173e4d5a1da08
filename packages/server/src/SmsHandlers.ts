/**
 * The SMS endpoints: decode, call the channel, answer.
 */
import type { SmsGroup } from "@watchword/api/SmsGroup"
import { ListBody } from "@watchword/pagination/ListBody"
import { ReportSms, SendSms } from "@watchword/schemas/Sms"
import { Sms } from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import { type Handlers, reading } from "./Handlers.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"

export const make: Effect.Effect<Handlers<typeof SmsGroup>, never, Sms> = Effect.map(Sms, (sms) => {
  const sendSms = Payload.decoder(SendSms)
  const listBody = Payload.decoder(ListBody, {})
  const reportSms = Payload.decoder(ReportSms)
  return {
    send: ({ principal, request }) =>
      Effect.flatMapEager(sendSms(request), (body) =>
        Effect.flatMapEager(requestKeys(request), (keys) => sms.send(principal, body, keys))
      ),
    get: reading(({ id, principal }) => sms.get(principal, id)),
    list: reading(({ principal, request }) =>
      Effect.flatMapEager(listBody(request), (body) => sms.list(principal, body))
    ),
    report: ({ principal, request }) => Effect.flatMapEager(reportSms(request), (body) => sms.report(principal, body))
  }
})
