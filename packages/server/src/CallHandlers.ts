/**
 * The call endpoints: decode, call the channel, answer.
 */
import { Api } from "@watchword/api/Api"
import { CurrentPrincipal } from "@watchword/api/Authorization"
import { Call } from "@watchword/call/Call"
import { ListBody } from "@watchword/pagination/ListBody"
import { FlashCall, ReportCall } from "@watchword/schemas/Call"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { orUnavailable } from "./Failures.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"
import { current } from "./ServerRequest.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "call",
  Effect.fnUntraced(function* (handlers) {
    const call = yield* Call
    const flashCall = Payload.decoder(FlashCall)
    const listBody = Payload.decoder(ListBody, {})
    const reportCall = Payload.decoder(ReportCall)

    const flash = Effect.fnUntraced(function* () {
      const request = yield* current
      const body = yield* flashCall(request)
      const keys = yield* requestKeys(request)
      return yield* orUnavailable(call.flash(yield* CurrentPrincipal, body, keys))
    })

    const get = Effect.fnUntraced(function* (uuid: string) {
      return yield* orUnavailable(call.get(yield* CurrentPrincipal, uuid))
    })

    const list = Effect.fnUntraced(function* () {
      const body = yield* listBody(yield* current)
      return yield* orUnavailable(call.list(yield* CurrentPrincipal, body))
    })

    const hangup = Effect.fnUntraced(function* (uuid: string) {
      return yield* orUnavailable(call.hangup(yield* CurrentPrincipal, uuid))
    })

    const report = Effect.fnUntraced(function* () {
      const body = yield* reportCall(yield* current)
      return yield* orUnavailable(call.report(yield* CurrentPrincipal, body))
    })

    return handlers
      .handleRaw("flash", flash, { uninterruptible: true })
      .handle("get", ({ params }) => get(params.uuid))
      .handleRaw("list", list)
      .handle("hangup", ({ params }) => hangup(params.uuid), { uninterruptible: true })
      .handleRaw("report", report, { uninterruptible: true })
  })
)
