/**
 * Carriers, a chat app and a trunk behind the gateways of all processes of a test. They keep every message that they
 * are asked to deliver, and treat each as the test decides.
 */
import { CallGateway, type Dialled, type Ended, type HangupReason } from "@watchword/call/CallGateway"
import {
  ChatgwGateway,
  type CodeMessage,
  type DeliveryState,
  type RequestStatus
} from "@watchword/chatgw/ChatgwGateway"
import { BusyHere, NotFound, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { EncodedText } from "@watchword/sms/EncodedText"
import { type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Life } from "./life.ts"

export type Channel = "sms" | "chatgw" | "call"

/**
 * The fate of a message: it is accepted, or refused; or its answer is lost although it was accepted (`unanswered`), or
 * it never arrived (`lost`).
 */
export type Fate = "taken" | "refused" | "unanswered" | "lost"

/** A message that a gateway was asked to deliver. */
export interface Message {
  readonly channel: Channel
  readonly delivery: DeliveryId
  readonly to: string
  /** The code in the message; for a call, the caller. */
  readonly code: string
  /** The gateway's id. */
  readonly ref: string
  readonly fate: Fate
  /** The process that sent it. */
  readonly by: Life
  /** Whether the chat app has revoked it unread. */
  isRevoked: boolean
  /** Whether the user has read it. */
  isRead: boolean
}

type Handler<Event> = (event: Event) => Effect.Effect<void, StoreError>

/** The handlers of a process. */
interface Listener {
  readonly life: Life
  sms: Handler<SmsEvent>
  chatgw: Handler<RequestStatus>
  call: Handler<Ended>
}

export const isTaken = ({ fate }: Pick<Message, "fate">): boolean => fate === "taken" || fate === "unanswered"

/**
 * @param number the only number that exists: on a store shared by tests, a process also finds the due steps of others
 */
export const makeNetwork = (number: string) => {
  const messages: Array<Message> = []
  const listeners: Array<Listener> = []
  let made = 0

  const network = {
    messages,
    /** Decides the fate of a channel's next message; may wait, which keeps the gateway silent. */
    fateOf: async (_channel: Channel): Promise<Fate> => "taken",
    /** Whether a receipt that precedes the answer to its message reports success; null for no such receipt. */
    earlyReceipt: null as boolean | null,
    /** Whether the chat app knows a number. */
    isReachable: (_to: string): boolean => true,
    taken: () => messages.filter(isTaken),
    /** Reports a message's outcome to a process; by default to the first that is alive. */
    receipt: (message: Message, good: boolean, to?: Life): Effect.Effect<void, StoreError> =>
      Effect.suspend(() => {
        const listener = listeners.find(({ life }) => (to === undefined ? !life.isDead() : life === to))
        return listener === undefined ? Effect.void : tell(listener, message, good)
      }),
    /** The gateways of a process. */
    gatewaysOf
  }

  const deliver = (
    channel: Channel,
    about: Pick<Message, "delivery" | "to" | "code" | "ref" | "by">
  ): Effect.Effect<Fate> =>
    about.to === number
      ? Effect.map(
          Effect.promise(() => network.fateOf(channel)),
          (fate) => {
            messages.push({ ...about, channel, fate, isRevoked: false, isRead: false })
            return fate
          }
        )
      : Effect.succeed("refused")

  const requested = (requestId: string): Effect.Effect<Message, NotFound> =>
    Effect.suspend(() => {
      const message = messages.find((each) => each.ref === requestId && isTaken(each))
      return message === undefined ? Effect.fail(new NotFound({ message: "no such request" })) : Effect.succeed(message)
    })

  function gatewaysOf(life: Life) {
    const listener: Listener = { life, sms: unheard, chatgw: unheard, call: unheard }
    listeners.push(listener)
    /** Reports the last message's receipt, if it is to arrive before the answer. */
    const hurried = Effect.suspend(() => {
      const [message, good] = [messages.at(-1), network.earlyReceipt]
      return message === undefined || good === null ? Effect.void : Effect.orDie(tell(listener, message, good))
    })
    const sms = SmsGateway.of({
      send: ({ delivery, text, to }) => {
        const ref = `sms-${++made}`
        const delivered = deliver("sms", { delivery, to, code: codeIn(text), ref, by: life })
        return life.step(Effect.map(Effect.tap(delivered, hurried), outcomeOf(ref)))
      },
      events: (handle) => Effect.sync(() => void (listener.sms = handle)),
      health: Effect.succeed([])
    })
    const chatgw = ChatgwGateway.of({
      send: (message: CodeMessage) => {
        const ref = message.requestId ?? `chat-${++made}`
        const { delivery, to } = message
        const about = { delivery, to, code: Redacted.value(message.code), ref, by: life }
        return life.step(Effect.map(deliver("chatgw", about), outcomeOf(ref, { request_id: ref })))
      },
      checkSendAbility: (to) =>
        life.step(
          Effect.sync(() => {
            if (!network.isReachable(to)) return { _tag: "Unreachable" }
            return { _tag: "Reachable", requestId: `chat-${++made}` }
          })
        ),
      checkVerificationStatus: (requestId) => life.step(Effect.map(requested(requestId), lastStatusOf)),
      revoke: (requestId) =>
        life.step(
          Effect.map(requested(requestId), (message) => {
            message.isRevoked = !message.isRead
            return lastStatusOf(message)
          })
        ),
      events: (handle) => Effect.sync(() => void (listener.chatgw = handle)),
      health: Effect.succeed([]),
      webhook: null
    })
    const ringing = new Set<DeliveryId>()
    const end = (delivery: DeliveryId, reason: HangupReason) =>
      Effect.suspend(() => {
        if (!ringing.delete(delivery)) return Effect.succeed(false)
        const cause = { hangupCause: reason, sipStatus: null, q850: null }
        const ended = listener.call({ _tag: "Ended", delivery, cause, answeredAt: null, endedAt: 0 })
        return Effect.as(Effect.ignore(ended), true)
      })
    const call = CallGateway.of({
      dial: ({ callee, caller, delivery }, beforeInvite) => {
        const ref = `call-${++made}`
        const dialled = Effect.map(
          deliver("call", { delivery, to: callee, code: caller, ref, by: life }),
          (fate): Dialled => {
            if (fate !== "taken") return { _tag: "Failed", failure: new BusyHere({ message: "busy" }), cause: busy }
            ringing.add(delivery)
            return { _tag: "Ringing", postDialDelay: 1_000, dialog: ref }
          }
        )
        return Effect.andThen(beforeInvite(ref), life.step(dialled))
      },
      hangup: (delivery, reason) => life.step(end(delivery, reason)),
      recover: () => Effect.void,
      drain: Effect.suspend(() => Effect.forEach([...ringing], (delivery) => end(delivery, "ORIGINATOR_CANCEL"))),
      events: (handle) => Effect.sync(() => void (listener.call = handle)),
      health: Effect.succeed([])
    })
    return {
      sms: Layer.succeed(SmsGateway, sms),
      chatgw: Layer.succeed(ChatgwGateway, chatgw),
      call: Layer.succeed(CallGateway, call)
    }
  }

  return network
}

export type Network = ReturnType<typeof makeNetwork>

const unheard = () => Effect.void

const refusal = () => new TemporaryUnavailable({ message: "refused" })

const busy = { hangupCause: "USER_BUSY", sipStatus: 486, q850: null }

/** The digits of a text, which are the same octets in GSM 7-bit and in ASCII. */
const codeIn = ({ parts }: EncodedText): string =>
  /\d{4,8}/.exec(parts.map((part) => String.fromCharCode(...part)).join(""))?.[0] ?? ""

const outcomeOf =
  (ref: string, details: Readonly<Record<string, string>> = {}) =>
  (fate: Fate): Outcome => {
    switch (fate) {
      case "taken":
        return accepted([ref], details)
      case "refused":
        return rejected(refusal())
      case "unanswered":
      case "lost":
        return unknown(refusal())
    }
  }

const statusOf = ({ delivery, isRevoked, ref }: Message, status: DeliveryState): RequestStatus => ({
  requestId: ref,
  of: delivery,
  delivery: { status, updatedAt: 1 },
  verification: null,
  isRefunded: isRevoked
})

/** The last status of a message whose code is no longer valid. */
const lastStatusOf = (message: Message): RequestStatus =>
  statusOf(message, message.isRevoked ? "revoked" : message.isRead ? "read" : "expired")

const tell = ({ chatgw, sms }: Listener, message: Message, good: boolean): Effect.Effect<void, StoreError> => {
  const { channel, ref, to } = message
  switch (channel) {
    case "sms":
      return sms({
        _tag: "Receipt",
        refs: [ref],
        to,
        reference: null,
        status: good ? "delivered" : "undelivered",
        carrierStatus: null,
        carrierError: null
      })
    case "chatgw":
      // A good status was already on its way before the message was revoked.
      return chatgw(
        good
          ? statusOf({ ...message, isRevoked: false }, "delivered")
          : statusOf(message, message.isRevoked ? "revoked" : "failed")
      )
    case "call":
      return Effect.void
  }
}
