/**
 * The SMS endpoints: decode, call the channel, answer.
 */
import { Api } from "@watchword/api/Api"
import { CurrentPrincipal } from "@watchword/api/Authorization"
import { ListBody } from "@watchword/pagination/ListBody"
import { ReportSms, SendSms } from "@watchword/schemas/Sms"
import { Sms } from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { orUnavailable } from "./Failures.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"
import { current } from "./ServerRequest.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "sms",
  Effect.fnUntraced(function* (handlers) {
    const sms = yield* Sms
    const sendSms = Payload.decoder(SendSms)
    const listBody = Payload.decoder(ListBody, {})
    const reportSms = Payload.decoder(ReportSms)

    const send = Effect.fnUntraced(function* () {
      const request = yield* current
      const body = yield* sendSms(request)
      const keys = yield* requestKeys(request)
      return yield* sms.send(yield* CurrentPrincipal, body, keys).pipe(
        orUnavailable,
        // Only calls are busy or declined: a gateway that says so of a text is at fault.
        Effect.catchTag(["BUSY_HERE", "DECLINE"], Effect.die)
      )
    })

    const get = Effect.fnUntraced(function* (messageId: string) {
      return yield* orUnavailable(sms.get(yield* CurrentPrincipal, messageId))
    })

    const list = Effect.fnUntraced(function* () {
      const body = yield* listBody(yield* current)
      return yield* orUnavailable(sms.list(yield* CurrentPrincipal, body))
    })

    const report = Effect.fnUntraced(function* () {
      const body = yield* reportSms(yield* current)
      return yield* orUnavailable(sms.report(yield* CurrentPrincipal, body))
    })

    return handlers
      .handleRaw("send", send, { uninterruptible: true })
      .handle("get", ({ params }) => get(params.messageId))
      .handleRaw("list", list)
      .handleRaw("report", report, { uninterruptible: true })
  })
)
