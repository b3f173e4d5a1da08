/**
 * Sends of a verification's code: each is an ordinary delivery, made by its channel's own operation, with its own price,
 * hold, record and receipts.
 */
import type { Operation } from "@watchword/send/channel/Operation"
import { Siblings } from "@watchword/send/internal/channel/Siblings"
import { SendAbility } from "@watchword/schemas/Chat"
import type { ClientFacts } from "@watchword/schemas/internal/ClientFacts"
import { BadRequest, Conflict, ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { sum, zero } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { StepChannel } from "@watchword/schemas/Verification"
import { type Origin, type RequestKeys, noKeys } from "@watchword/send/Claims"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Attempt } from "./plan/Plan.ts"
import type { Answer } from "./plan/Sends.ts"
import { type Sent, answerOf, lossOf, unheard } from "./Receipts.ts"

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
  /** The id of the probe that comes before it; null for channels that are not probed. */
  readonly probe: DeliveryId | null
}

/** The records of a send. */
type Ids = Pick<Attempt, "channel" | "delivery" | "probe">

export interface Steps {
  /** Sends a code, and answers what became of it. A delivery that was opened before is not sent again. */
  readonly send: (channel: StepChannel, message: Message) => Effect.Effect<Answer, StoreError>
  /**
   * What the records of a send say; none where it has no record.
   *
   * @param given its record, where a step of the store has just answered it
   */
  readonly find: (
    partition: Pick<Delivery, "account" | "mode">,
    send: Ids,
    given?: Delivery | null
  ) => Effect.Effect<Option.Option<Sent>, StoreError>
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
  const probed = ({ client, principal, probe, to }: Message): Effect.Effect<unknown, unknown> => {
    const keys = probe === null ? noKeys : { ...noKeys, origin: { id: probe, details: {} } }
    return run("chatgw", "checkSendAbility", principal, { ...client, to }, keys)
  }

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

  const own = ({ account, mode }: Principal) => ({ account: account.id, mode })

  const record = ({ account, mode }: Pick<Delivery, "account" | "mode">, channel: string, id: DeliveryId | null) =>
    id === null ? Effect.succeedNone : store.find({ account, mode, channel, id })

  /** What the balance has lost for a probe: nothing where an earlier one was valid. */
  const probeLoss = (partition: Pick<Delivery, "account" | "mode">, probe: DeliveryId | null) =>
    Effect.mapEager(record(partition, PROBE, probe), Option.match({ onNone: () => zero, onSome: lossOf }))

  const find: Steps["find"] = (partition, { channel, delivery, probe }, given = null) =>
    Effect.flatMapEager(given === null ? record(partition, channel, delivery) : Effect.succeedSome(given), (found) =>
      Option.isNone(found)
        ? Effect.succeedNone
        : Effect.mapEager(probeLoss(partition, probe), (loss) =>
            Option.some({ record: found.value, price: sum(lossOf(found.value), loss) })
          )
    )

  const send: Steps["send"] = Effect.fnUntraced(function* (channel, message) {
    const { origin, principal, probe } = message
    const closed: { record: Delivery | null } = { record: null }
    const recording = { ...message, origin: { ...origin, stored: (record: Delivery) => (closed.record = record) } }
    const failure = yield* Effect.match(sendOver(channel, recording), {
      onSuccess: () => null,
      onFailure: (error) => error
    })
    const since = yield* Clock.currentTimeMillis
    const found = yield* find(own(principal), { channel, delivery: origin.id, probe }, closed.record)
    if (Option.isSome(found)) {
      // One that is pending is asked for by another process, or was by a dead one.
      return refusedNumber(failure, answerOf(found.value) ?? unheard(found.value))
    }
    // Whether a record comes to be is not known: the send is looked at again later.
    if (failure instanceof StoreError) return yield* failure
    const reason = codeOf(failure)
    const outcome = reason === UNPAID ? "unpaid" : "undelivered"
    const price = yield* probeLoss(own(principal), probe)
    return refusedNumber(failure, { delivery: null, price, outcome, reason, since, receipt: null })
  })

  const withdraw: Steps["withdraw"] = Effect.fnUntraced(
    function* (channel, principal, id) {
      if (channel === "call") yield* run("call", "hangup", principal, id)
      if (channel !== "chatgw") return
      const requestId = Option.getOrUndefined(yield* record(own(principal), channel, id))?.details["request_id"]
      if (typeof requestId !== "string") return
      // One that has expired may have been taken back by a process that died before it could write that: the gateway knows.
      yield* Effect.catchIf(run("chatgw", "revoke", principal, { request_id: requestId }), isExpired, () =>
        run("chatgw", "checkVerificationStatus", principal, { request_id: requestId })
      )
    },
    (withdrawn) => Effect.ignore(withdrawn)
  )

  return { send, find, withdraw }
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

const PROBE = "chatgw_probe"
const UNPAID = "PAYMENT_REQUIRED"

/** The reason of a send whose gateway says that the number does not exist. */
export const NUMBER_REFUSED = "number_refused"

/** The answer to a send, which says whether its failure was about the number. */
const refusedNumber = (failure: unknown, answer: Answer): Answer => {
  const isAboutNumber = failure instanceof BadRequest && failure.issues?.some(({ path }) => NUMBERS.has(path)) === true
  return isAboutNumber && answer.outcome === "undelivered" ? { ...answer, reason: NUMBER_REFUSED } : answer
}

/** The fields of channels' bodies that have the number. */
const NUMBERS = new Set(["to", "callee"])

const noChannel = () => new ServiceUnavailable({ message: "The channel is not part of this service." })
const noCallers = () => new ServiceUnavailable({ message: "The account has no pool of callers." })
const unreachable = { _tag: "NO_ACCOUNT" } as const

const isExpired = (failure: unknown): boolean => failure instanceof Conflict && failure.reason === "expired"

const isReachable = (answer: unknown): boolean =>
  Option.exists(decodeSendAbility(answer), ({ is_refunded }) => !is_refunded)

/** The stable code of a failure: the rule that refused it, or that of its error. */
const codeOf = (failure: unknown): string => {
  if (Predicate.hasProperty(failure, "reason") && Predicate.isString(failure.reason)) return failure.reason
  return Predicate.hasProperty(failure, "_tag") && Predicate.isString(failure._tag)
    ? failure._tag
    : "INTERNAL_SERVER_ERROR"
}
