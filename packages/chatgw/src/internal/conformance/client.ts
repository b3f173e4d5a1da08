/**
 * Codes sent to a gateway under test, and its answers about them.
 */
import { holds } from "@watchword/store/checks"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { Outcome } from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CodeMessage, RequestStatus, StatusFailure, VerificationState } from "../../ChatgwGateway.ts"
import type { Numbers, Started } from "./Harness.ts"

export type Client = ReturnType<typeof clientOf>

export const clientOf = ({ gateway, elapse }: Started, numbers: Numbers) => {
  const send = (message: Partial<CodeMessage> = {}): Effect.Effect<Outcome> =>
    gateway.send({
      delivery: nextDeliveryId(Date.now()),
      to: numbers.withAccount,
      code: Redacted.make("123456"),
      ttl: 60,
      senderUsername: null,
      callbackUrl: null,
      requestId: null,
      ...message
    })

  /** Sends a code that must be accepted, and returns its request id. */
  const accepted = Effect.fnUntraced(function* (message?: Partial<CodeMessage>) {
    const outcome = yield* send(message)
    holds(`a code must be accepted, and was ${outcome._tag}`, outcome._tag === "Accepted")
    const [requestId] = outcome.refs
    holds("an accepted code must have a request id", requestId !== undefined)
    return requestId
  })

  const status = (requestId: string): Effect.Effect<RequestStatus, StatusFailure> =>
    gateway.checkVerificationStatus(requestId, null)

  /** The verification state after a code was entered. */
  const enter = (requestId: string, code: string): Effect.Effect<VerificationState | undefined, StatusFailure> =>
    Effect.map(
      gateway.checkVerificationStatus(requestId, Redacted.make(code)),
      ({ verification }) => verification?.status
    )

  return { gateway, elapse, numbers, send, accepted, status, enter }
}
