/**
 * A scriptable business messaging platform.
 */
import {
  type BizchatEvent,
  BizchatGateway,
  type MessageStatus,
  type TextMessage
} from "@watchword/bizchat/BizchatGateway"
import { EventHub } from "@watchword/send/gateway"
import { BadRequest, NotFound, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

export const refOf = ({ delivery }: Pick<TextMessage, "delivery">): string => `wamid.${delivery}`

export const notOnPlatform = () =>
  rejected(new NotFound({ message: "The number is not on the messaging platform." }), { error_code: 131026 })

export const noAnswer = () => unknown(new TemporaryUnavailable({ message: "The messaging platform did not answer." }))

export const makePlatform = () => {
  const hub = new EventHub<BizchatEvent, StoreError>()
  const sent: Array<TextMessage> = []
  let answer: (message: TextMessage) => Outcome | Effect.Effect<Outcome, StoreError> = (message) =>
    accepted([refOf(message)])

  const send = (message: TextMessage) =>
    Effect.suspend(() => {
      sent.push(message)
      const outcome = answer(message)
      return Effect.isEffect(outcome) ? Effect.orDie(outcome) : Effect.succeed(outcome)
    })

  const gateway = BizchatGateway.of({
    check: ({ text }) =>
      Redacted.value(text).includes("123456")
        ? Effect.void
        : Effect.fail(new BadRequest({ message: "no code", issues: [{ path: "text", message: "must have a code" }] })),
    send,
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([{ name: "platform", up: true }]),
    webhook: null
  })

  return {
    layer: Layer.succeed(BizchatGateway, gateway),
    /** The messages that were sent, in their order. */
    sent,
    /** Answers later sends like this. */
    answers: (next: typeof answer) => {
      answer = next
    },
    /** Tells an event, and waits until it is stored. */
    tell: (ref: string, status: MessageStatus["status"], more: Partial<MessageStatus> = {}) => {
      const errorCode = more.errorCode ?? null
      const event: MessageStatus = {
        _tag: "Status",
        ref,
        of: null,
        status,
        at: 1,
        errorCode,
        notOnPlatform: errorCode === 131026,
        ...more
      }
      return Effect.catchTag(hub.publish(event), "NotHandled", Effect.die)
    }
  }
}
