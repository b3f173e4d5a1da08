/**
 * Sends of a verification's code: each is an ordinary delivery, made by its channel's own operation, with its own price,
 * hold, record and receipts.
 */
import type { Operation } from "@watchword/channel/Operation"
import { Siblings } from "@watchword/channel/Siblings"
import { SendAbility } from "@watchword/schemas/Chat"
import type { ClientFacts } from "@watchword/schemas/ClientFacts"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import { type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { StepChannel } from "@watchword/schemas/Verification"
import { type Origin, type RequestKeys, noKeys } from "@watchword/send/Claims"
import { REASONS } from "@watchword/send/GuardReasons"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Answer } from "./plan/Sends.ts"
import { receiptOf } from "./Receipts.ts"

/** One send of a code. */
export interface Message {
  readonly principal: Principal
  readonly to: E164
  readonly code: string
  /** The code in a sentence, for channels that carry texts. */
  readonly text: string
  readonly locale: string | null
  /** The number that a call comes from; null where there is no pool of callers. */
  readonly caller: string | null
  /** Seconds that are left of the verification. */
  readonly ttl: number
  readonly client: ClientFacts
  /** The delivery's id, chosen beforehand, and the details that lead from it to the verification. */
  readonly origin: Origin
}

export interface Steps {
  /** Sends a code, and answers what became of it. A delivery that was opened before is not sent again. */
  readonly send: (channel: StepChannel, message: Message) => Effect.Effect<Answer, StoreError>
  /** What became of a send, by its record; null where none came to be. */
  readonly sent: (
    principal: Principal,
    channel: StepChannel,
    id: DeliveryId
  ) => Effect.Effect<Answer | null, StoreError>
  /** The record of a send. */
  readonly find: (
    partition: Pick<Delivery, "account" | "mode">,
    channel: StepChannel,
    id: DeliveryId
  ) => Effect.Effect<Option.Option<Delivery>, StoreError>
  /** Takes a message back that may be unread, or hangs up. What fails was too late, or expires by itself. */
  readonly withdraw: (channel: StepChannel, principal: Principal, id: DeliveryId) => Effect.Effect<void>
}

const decodeSendAbility = Schema.decodeUnknownOption(SendAbility)

export const make: Effect.Effect<Steps, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const siblings = yield* Siblings

  const run = (
    channel: string,
    name: string,
    principal: Principal,
    input: object | string,
    keys: RequestKeys = noKeys
  ): Effect.Effect<unknown, unknown> =>
    Effect.flatMap(siblings, (running) => {
      const operation = running.find((each) => each.channel.name === channel)?.operations[name]
      return operation === undefined ? Effect.fail(noChannel()) : ran(operation, principal, input, keys)
    })

  /** A probe follows from the start, as each step does, and is none of the verification's deliveries. */
  const probed = ({ client, principal, to }: Message): Effect.Effect<unknown, unknown> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      run(
        "chatgw",
        "checkSendAbility",
        principal,
        { ...client, to },
        {
          ...noKeys,
          origin: { id: nextDeliveryId(now), details: {} }
        }
      )
    )

  const sendOver = (channel: StepChannel, message: Message): Effect.Effect<unknown, unknown> => {
    const { caller, client, code, locale, origin, principal, text, to, ttl } = message
    const keys = { ...noKeys, origin }
    // Channels keep a message for at least half a minute.
    const kept = Math.max(ttl, 30)
    switch (channel) {
      case "sms":
        return run("sms", "send", principal, { ...client, to, text, ttl: kept }, keys)
      case "bizchat":
        return run(
          "bizchat",
          "send",
          principal,
          { ...client, to, text, code, ...(locale === null ? {} : { locale }) },
          keys
        )
      case "call":
        return caller === null
          ? Effect.fail(noCallers())
          : run("call", "flash", principal, { ...client, callee: to, caller }, keys)
      case "chatgw":
        // The probe's price is spent by the send.
        return Effect.flatMap(probed(message), (ability) =>
          isReachable(ability)
            ? run("chatgw", "send", principal, { ...client, to, code, ttl: kept }, keys)
            : Effect.fail(unreachable)
        )
    }
  }

  const find: Steps["find"] = ({ account, mode }, channel, id) => store.find({ account, mode, channel, id })
  const own = ({ account, mode }: Principal) => ({ account: account.id, mode })

  const sent: Steps["sent"] = (principal, channel, id) =>
    Effect.map(find(own(principal), channel, id), Option.match({ onNone: () => null, onSome: answerOf }))

  const send: Steps["send"] = Effect.fnUntraced(function* (channel, message) {
    const failure = yield* Effect.match(sendOver(channel, message), {
      onSuccess: () => null,
      onFailure: (error) => error
    })
    const answer = yield* sent(message.principal, channel, message.origin.id)
    if (answer !== null) return answer
    // Whether a record comes to be is not known: the send is tried again when its lease is over.
    if (failure instanceof StoreError) return yield* failure
    const reason = codeOf(failure)
    return { delivery: null, price: zero, outcome: reason === UNPAID ? "unpaid" : "undelivered", reason, receipt: null }
  })

  const withdraw: Steps["withdraw"] = Effect.fnUntraced(
    function* (channel, principal, id) {
      if (channel === "call") yield* run("call", "hangup", principal, id)
      if (channel !== "chatgw") return
      const requestId = Option.getOrUndefined(yield* find(own(principal), channel, id))?.details["request_id"]
      if (typeof requestId === "string") yield* run("chatgw", "revoke", principal, { request_id: requestId })
    },
    (withdrawn) => Effect.ignore(withdrawn)
  )

  return { send, sent, find, withdraw }
})

const ran = (
  operation: Operation,
  principal: Principal,
  input: object | string,
  keys: RequestKeys
): Effect.Effect<unknown, unknown> => {
  switch (operation._tag) {
    case "Send":
      return operation.run(principal, input, keys)
    case "Body":
      return operation.run(principal, input)
    case "Change":
      return operation.run(principal, String(input))
    default:
      return Effect.die(new Error("a step is no list or look-up"))
  }
}

const UNPAID = "PAYMENT_REQUIRED"

const noChannel = () => new ServiceUnavailable({ message: "The channel is not part of this service." })
const noCallers = () => new ServiceUnavailable({ message: "The account has no pool of callers." })
const unreachable = { _tag: "NO_ACCOUNT" } as const

const isReachable = (answer: unknown): boolean =>
  Option.exists(decodeSendAbility(answer), ({ is_refunded }) => !is_refunded)

/** The stable code of a failure: the rule that refused it, or that of its error. */
const codeOf = (failure: unknown): string => {
  if (Predicate.hasProperty(failure, "reason") && Predicate.isString(failure.reason)) return failure.reason
  return Predicate.hasProperty(failure, "_tag") && Predicate.isString(failure._tag)
    ? failure._tag
    : "INTERNAL_SERVER_ERROR"
}

/** The first of the rules by which a guard refused a send. */
const ruleOf = ({ details, status }: Pick<Delivery, "details" | "status">): string | undefined => {
  const rules = status.name === "blocked" ? details[REASONS] : undefined
  return typeof rules === "string" ? rules.split(" ")[0] : undefined
}

/** What became of a send, by its record. One that is pending is asked for by another process, or was by a dead one. */
const answerOf = (sent: Delivery): Answer => {
  const { details, id, phase, price } = sent
  switch (phase) {
    case "accepted":
      return { outcome: "accepted", delivery: id, price, reason: null, receipt: receiptOf(sent) }
    case "pending":
    case "unknown":
      return { outcome: "unknown", delivery: id, price, reason: null, receipt: null }
    case "rejected":
    case "refunded": {
      const reason = String(ruleOf(sent) ?? details["failure"] ?? "SERVICE_UNAVAILABLE")
      return { outcome: "undelivered", delivery: id, price: zero, reason, receipt: null }
    }
  }
}
