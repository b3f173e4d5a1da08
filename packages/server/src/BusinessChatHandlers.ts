/**
 * The business-chat endpoints: decode, call the channel, answer.
 */
import { Api } from "@watchword/api/Api"
import { CurrentPrincipal } from "@watchword/api/Authorization"
import { BusinessChat } from "@watchword/bizchat/BusinessChat"
import { ListBody } from "@watchword/pagination/ListBody"
import { ReportBusinessChat, SendOtp } from "@watchword/schemas/BusinessChat"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { orUnavailable } from "./Failures.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"
import { current } from "./ServerRequest.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "bizchat",
  Effect.fnUntraced(function* (handlers) {
    const chat = yield* BusinessChat
    const sendOtp = Payload.decoder(SendOtp)
    const listBody = Payload.decoder(ListBody, {})
    const reportChat = Payload.decoder(ReportBusinessChat)

    const send = Effect.fnUntraced(function* () {
      const request = yield* current
      const body = yield* sendOtp(request)
      const keys = yield* requestKeys(request)
      return yield* chat.send(yield* CurrentPrincipal, body, keys).pipe(
        orUnavailable,
        // Only calls are busy or declined: a gateway that says so of a text is at fault.
        Effect.catchTag(["BUSY_HERE", "DECLINE"], Effect.die)
      )
    })

    const get = Effect.fnUntraced(function* (uuid: string) {
      return yield* orUnavailable(chat.get(yield* CurrentPrincipal, uuid))
    })

    const list = Effect.fnUntraced(function* () {
      const body = yield* listBody(yield* current)
      return yield* orUnavailable(chat.list(yield* CurrentPrincipal, body))
    })

    const report = Effect.fnUntraced(function* () {
      const body = yield* reportChat(yield* current)
      return yield* orUnavailable(chat.report(yield* CurrentPrincipal, body))
    })

    return handlers
      .handleRaw("send", send, { uninterruptible: true })
      .handle("get", ({ params }) => get(params.uuid))
      .handleRaw("list", list)
      .handleRaw("report", report, { uninterruptible: true })
  })
)
