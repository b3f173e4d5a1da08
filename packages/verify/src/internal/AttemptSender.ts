/**
 * Sends of a verification's code: each is an ordinary delivery, made by its channel, with its own price, hold, record
 * and receipts.
 */
import { BadRequest, ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { sum, zero } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import type { StepChannel } from "@watchword/schemas/Verification"
import type { CodeError, CodeMessage } from "@watchword/send/channel/Channel"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { CodeChannels } from "./CodeChannels.ts"
import type { Attempt } from "./plan/Plan.ts"
import type { Answer } from "./plan/Sends.ts"
import { type Receipts, type Sent, lossOf, unheard } from "./Receipts.ts"

/** The records of a send. */
type Ids = Pick<Attempt, "channel" | "delivery" | "probe">

/** What became of a send. */
export interface Asked {
  readonly answer: Answer
  /** The verification, where it followed the outcome of the send in the same step; else null. */
  readonly followed: Delivery | null
}

/** A send that changed nothing else. */
export const unfollowed = (answer: Answer): Asked => ({ answer, followed: null })

export interface AttemptSender {
  /** Sends a code, and answers what became of it. A delivery that was opened before is not sent again. */
  readonly send: (channel: StepChannel, message: CodeMessage) => Effect.Effect<Asked, StoreError>
  /**
   * The state of a send by its records; none if it has no record.
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

export const make = Effect.fnUntraced(function* (
  channels: CodeChannels,
  { answerOf }: Receipts
): Effect.fn.Return<AttemptSender, never, Store> {
  const store = yield* Store

  const record = (
    { account, mode }: Pick<Delivery, "account" | "mode">,
    channel: string | null,
    id: DeliveryId | null
  ) => (id === null || channel === null ? Effect.succeedNone : store.find({ account, mode, channel, id }))

  /** The cost of the look-up before a send: zero if an earlier one was valid. */
  const probeLoss = (partition: Pick<Delivery, "account" | "mode">, { channel, probe }: Omit<Ids, "delivery">) =>
    Effect.mapEager(
      record(partition, channels.named(channel)?.probe ?? null, probe),
      Option.match({ onNone: () => zero, onSome: lossOf })
    )

  const find: AttemptSender["find"] = (partition, send, given = null) =>
    Effect.flatMapEager(
      given === null ? record(partition, send.channel, send.delivery) : Effect.succeedSome(given),
      (found) =>
        Option.isNone(found)
          ? Effect.succeedNone
          : Effect.mapEager(probeLoss(partition, send), (loss) =>
              Option.some({ record: found.value, price: sum(lossOf(found.value), loss) })
            )
    )

  const send: AttemptSender["send"] = Effect.fnUntraced(function* (channel, message) {
    const { origin, principal, probe } = message
    const partition = { account: principal.account.id, mode: principal.mode }
    const closed: { record: Delivery | null; followed: Delivery | null } = { record: null, followed: null }
    const stored = (record: Delivery, followed: Delivery | null) => Object.assign(closed, { record, followed })
    const recording = { ...message, origin: { ...origin, stored } }
    const carried = channels.named(channel)?.send(recording) ?? Effect.fail(noChannel())
    const failure = yield* Effect.match(carried, { onSuccess: () => null, onFailure: (error) => error })
    const since = yield* Clock.currentTimeMillis
    const found = yield* find(partition, { channel, delivery: origin.id, probe }, closed.record)
    if (Option.isSome(found)) {
      // A pending look-up belongs to another process, or to a dead one.
      const answer = refusedNumber(failure, answerOf(found.value) ?? unheard(found.value))
      return { answer, followed: closed.followed }
    }
    // Whether a record comes to be is not known: the send is looked at again later.
    if (failure instanceof StoreError) return yield* failure
    const reason = failure === null ? "INTERNAL_SERVER_ERROR" : codeOf(failure)
    const outcome = reason === UNPAID ? "unpaid" : "undelivered"
    const price = yield* probeLoss(partition, { channel, probe })
    return unfollowed(refusedNumber(failure, { delivery: null, price, outcome, reason, since, receipt: null }))
  })

  const withdraw: AttemptSender["withdraw"] = (channel, principal, id) =>
    Effect.ignore(channels.named(channel)?.withdraw(principal, id) ?? Effect.void)

  return { send, find, withdraw }
})

const UNPAID = "PAYMENT_REQUIRED"

/** The reason of a send whose gateway says that the number does not exist. */
export const NUMBER_REFUSED = "number_refused"

/** The answer to a send, which says whether its failure was about the number. */
const refusedNumber = (failure: CodeError | null, answer: Answer): Answer => {
  const isAboutNumber = failure instanceof BadRequest && failure.issues?.some(({ path }) => NUMBERS.has(path)) === true
  return isAboutNumber && answer.outcome === "undelivered" ? { ...answer, reason: NUMBER_REFUSED } : answer
}

/** The fields of channels' bodies that have the number. */
const NUMBERS = new Set(["to", "callee"])

const noChannel = () => new ServiceUnavailable({ message: "The channel is not part of this service." })

/** The stable code of a failure: the rule that refused it, or that of its error. */
const codeOf = (failure: CodeError): string =>
  Predicate.hasProperty(failure, "reason") && Predicate.isString(failure.reason) ? failure.reason : failure._tag
