/**
 * The chat-gateway endpoints: decode, call the channel, answer.
 */
import { Api } from "@watchword/api/Api"
import { CurrentPrincipal } from "@watchword/api/Authorization"
import { Chat } from "@watchword/chatgw/Chat"
import { ListBody } from "@watchword/pagination/ListBody"
import { CheckSendAbility, CheckVerification, ReportChat, RevokeVerification, SendCode } from "@watchword/schemas/Chat"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { orUnavailable } from "./Failures.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"
import { current } from "./ServerRequest.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "chatgw",
  Effect.fnUntraced(function* (handlers) {
    const chat = yield* Chat
    const sendCode = Payload.decoder(SendCode)
    const sendAbility = Payload.decoder(CheckSendAbility)
    const checkVerification = Payload.decoder(CheckVerification)
    const revokeVerification = Payload.decoder(RevokeVerification)
    const listBody = Payload.decoder(ListBody, {})
    const reportChat = Payload.decoder(ReportChat)

    const send = Effect.fnUntraced(function* () {
      const request = yield* current
      const body = yield* sendCode(request)
      const keys = yield* requestKeys(request)
      return yield* chat.send(yield* CurrentPrincipal, body, keys).pipe(
        orUnavailable,
        // Only calls are busy or declined: a gateway that says so of a code is at fault.
        Effect.catchTag(["BUSY_HERE", "DECLINE"], Effect.die)
      )
    })

    const checkSendAbility = Effect.fnUntraced(function* () {
      const request = yield* current
      const body = yield* sendAbility(request)
      const keys = yield* requestKeys(request)
      return yield* chat
        .checkSendAbility(yield* CurrentPrincipal, body, keys)
        .pipe(orUnavailable, Effect.catchTag(["BUSY_HERE", "DECLINE"], Effect.die))
    })

    const checkVerificationStatus = Effect.fnUntraced(function* () {
      const body = yield* checkVerification(yield* current)
      return yield* orUnavailable(chat.checkVerificationStatus(yield* CurrentPrincipal, body))
    })

    const revoke = Effect.fnUntraced(function* () {
      const body = yield* revokeVerification(yield* current)
      return yield* orUnavailable(chat.revoke(yield* CurrentPrincipal, body))
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
      .handleRaw("checkSendAbility", checkSendAbility, { uninterruptible: true })
      .handleRaw("checkVerificationStatus", checkVerificationStatus, { uninterruptible: true })
      .handleRaw("revoke", revoke, { uninterruptible: true })
      .handle("get", ({ params }) => get(params.uuid))
      .handleRaw("list", list)
      .handleRaw("report", report, { uninterruptible: true })
  })
)
