/**
 * The pipeline of a send that all channels share: price → guard → open → gateway → close.
 *
 * `open` writes the pending record, takes the hold and claims the request's ids in one step; `close` settles or
 * releases the hold and moves the record in another. Nothing interrupts a send between them, so a client that hangs up
 * neither gets a free message nor loses one. A process that dies in between leaves a pending record, which the
 * Reconciler finds. A predetermined outcome, as in the sandbox, is closed in the same step as it is opened.
 *
 * Three parts of the service close a delivery, each with an outcome of the gateway's `send`: `send`, `resolve` for an
 * outcome that came after its time-out, and the Reconciler. Only `send` opens one. Everything that a gateway says of a
 * message it has taken (receipts, statuses, the end of a call) is a report: the channel passes it to `Store.report`,
 * which never moves a status back and takes a report for proof that the message was accepted.
 */
import { Prices, price } from "@watchword/ledger/PriceTable"
import { type DeliveryFailure, ServiceUnavailable, inFlight } from "@watchword/schemas/Errors"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Delivery, Status } from "@watchword/store/Delivery"
import { type Close, type Closed, type Open, type Opened, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import * as Admission from "./pipeline/Admission.ts"
import * as Background from "./pipeline/Background.ts"
import { isShared, isSpending } from "./Claims.ts"
import { Observer } from "./pipeline/Content.ts"
import { DeliveryChanges } from "./pipeline/DeliveryChanges.ts"
import type { Outcome } from "./Outcome.ts"
import type { Heartbeat } from "./pipeline/Heartbeat.ts"
import type { InstallationSecret } from "./pipeline/InstallationSecret.ts"
import { INCOMPLETE, closing, ending, failureDetails, failureOf, storedFailure } from "./pipeline/Closes.ts"
import * as Opens from "./internal/Opens.ts"
import { unpriced } from "./internal/Refusals.ts"
import * as SendMetrics from "./internal/SendMetrics.ts"
import type { Request, SendError, Sent, Statuses } from "./internal/Request.ts"
import { type Sending, Simulator } from "./internal/Simulator.ts"
import { type SendGuard, type Verdict, allOf } from "./SendGuard.ts"
import type { Watchers } from "./pipeline/Watchers.ts"

export type { Prepaid, Request, SendError, Sent, Statuses } from "./internal/Request.ts"
export { type Admit, type Opening, type Sending, Simulator, type Stage, stageOf } from "./internal/Simulator.ts"

type IsOpened = Extract<Opened, { readonly _tag: "Opened" }>

type Passed = Extract<Verdict, { readonly _tag: "Passed" }>

/** A send on its way through the pipeline, with the clock that it began under. */
interface Priced extends Opens.Priced {
  readonly clock: Clock.Clock
}

export interface Service {
  /** Sends, and answers when the outcome is on the record. */
  readonly send: (request: Request) => Effect.Effect<Sent, SendError>

  /** Records an outcome that a gateway learned after its `send` had answered `Unknown`. */
  readonly resolve: (delivery: Delivery["id"], outcome: Outcome, statuses: Statuses) => Effect.Effect<void, StoreError>
}

export class Send extends Context.Service<Send, Service>()("@watchword/send/Send") {}

type Needs = DeliveryChanges | Heartbeat | InstallationSecret | Prices | SendGuard | Store | Watchers

export const make: Effect.Effect<Service, never, Needs | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const prices = yield* Prices
  const opening = yield* Opens.make
  const scope = yield* Effect.scope
  const admission = yield* Admission.make
  const simulator = yield* Simulator
  const observe = yield* Observer
  const { closedLater } = yield* DeliveryChanges
  const { countSend, timeAnswer } = yield* SendMetrics.make

  const send: Service["send"] = (request) => {
    const taken = request.way?.taken
    const isPlayed = simulator !== null && request.principal.mode === "sandbox"
    const sent = isPlayed ? simulator.send(request, sending) : sending(request)
    return taken === undefined ? sent : Effect.tap(sent, ({ delivery }) => Effect.sync(() => taken(delivery)))
  }

  const sending: Sending = (request, admit) =>
    Clock.clockWith((clock) => {
      const { channel, prepaid = null, principal, to, units } = request
      const full = principal.mode === "sandbox" ? playedPrice(to) : price(prices, channel, to, units)
      if (full === null) return Effect.fail(unpriced(request.toField))
      const begin = ({ watch }: Pick<Open, "watch">) => {
        const priced = { request, watch, full, prepaid, clock }
        return guarded(priced, (verdict) => {
          const refusal = admit?.(verdict, clock.currentTimeMillisUnsafe()) ?? null
          return refusal === null
            ? openDeliverClose(priced, verdict)
            : Effect.andThen(unopened(verdict), Effect.fail(refusal))
        })
      }
      const asked = { account: principal.account.id, mode: principal.mode, channel }
      const watch = admission.watching(asked, clock.currentTimeMillisUnsafe())
      return Effect.flatMapEager(watch, begin)
    })

  /** Sandbox sends cost nothing; null for a number that plays one without a price. */
  const playedPrice = (to: E164): MicroEuros | null => (simulator?.isSold(to) === false ? null : zero)

  /** Asks the guard. A send that it refuses leaves a record, and takes no hold. */
  const guarded = (priced: Priced, pass: (verdict: Passed) => Effect.Effect<Sent, SendError>) => {
    const { full, prepaid, request } = priced
    const { channel, client = {}, keys, principal, to } = request
    const decided = (verdict: Verdict): Effect.Effect<Sent, SendError> =>
      Effect.uninterruptible(verdict._tag === "Refused" ? refuse(priced, verdict) : pass(verdict))
    const asked = {
      principal,
      to,
      channel,
      client,
      requests: prepaid === null && keys.origin === null ? 1 : 0,
      price: Opens.priceAfter(full, prepaid),
      use: keys.origin === null ? "sends" : "verifications"
    } as const
    const verdict = admission.check(asked, priced.clock.currentTimeMillisUnsafe())
    return Effect.flatMapEager(verdict, decided)
  }

  /** Records a send that the guard refuses. Its claims end at once, so that the request may be made again. */
  const refuse = (
    { clock, request, watch }: Priced,
    { details, failure }: Extract<Verdict, { readonly _tag: "Refused" }>
  ): Effect.Effect<Sent, SendError> => {
    const at = clock.currentTimeMillisUnsafe()
    const unsent = { ...request, content: null }
    const open = opening({ request: unsent, watch, full: zero, prepaid: null }, { ...request.blocked, ...details }, at)
    const claims = Admission.endedAt(open.claims, at)
    const close = { outcome: "rejected", status: BLOCKED, refs: [], details: failureDetails(failure) } as const
    return Effect.flatMap(opens(request, { ...open, claims, close }), (opened) => {
      if (opened._tag !== "Opened") return notOpened(opened)
      if (!Opens.isOpenedBy(open, opened.delivery)) return repeated(opened.delivery)
      countSend(request, "Blocked")
      return Effect.fail(failure)
    })
  }

  const openDeliverClose = (priced: Priced, verdict: Passed): Effect.Effect<Sent, SendError> => {
    const { clock, request } = priced
    const open = opening(priced, verdict.details, clock.currentTimeMillisUnsafe())
    const predetermined = request.predetermine?.(open.delivery) ?? null
    const step = predetermined === null ? open : { ...open, close: ending(predetermined.outcome, request.statuses) }
    return Effect.flatMap(opens(request, step), (opened) => {
      if (opened._tag !== "Opened") return unopenedFor(opened, priced, verdict)
      if (!Opens.isOpenedBy(open, opened.delivery)) {
        return Effect.andThen(unopened(verdict), repeated(opened.delivery))
      }
      if (predetermined === null) return deliverClose(priced, verdict, opened.delivery)
      const { afterwards, outcome } = predetermined
      countSend(request, outcome._tag)
      const answered = Effect.andThen(afterwards, answer(request, outcome, opened))
      return outcome._tag === "Rejected" ? Effect.ensuring(answered, refused(verdict)) : answered
    })
  }

  /** Opens the record of a send, and with it a whole that is not there yet. */
  const opens = ({ keys: { origin } }: Request, open: Open): Effect.Effect<Opened, StoreError> => {
    const whole = origin?.whole
    if (whole === undefined) return admission.open(open)
    return Effect.map(admission.open(open), (opened) => {
      if (opened._tag === "WholeRefused") whole.answered(opened.by)
      else if (opened._tag === "Opened" && opened.whole != null) whole.answered(opened.whole)
      return opened
    })
  }

  /** A send whose prepayment was spent by another send pays in full. */
  const unopenedFor = (opened: Exclude<Opened, IsOpened>, priced: Priced, verdict: Passed) => {
    const isSpent = opened._tag === "Claimed" && isSpending(opened.claim)
    const inFull = { ...priced, prepaid: null }
    return Effect.andThen(
      unopened(verdict),
      isSpent ? guarded(inFull, (verdict) => openDeliverClose(inFull, verdict)) : notOpened(opened)
    )
  }

  /** Removes the counts of a request that left no record: a repeat, or one without money. */
  const unopened = ({ counted }: Passed): Effect.Effect<void> => admission.unsent(allOf(counted))

  /** Removes the counts of a request that its gateway refused; the price goes back with its hold. */
  const refused = ({ counted }: Passed): Effect.Effect<void> => admission.unsent(counted.requests)

  const deliverClose = ({ clock, prepaid, request }: Priced, verdict: Passed, delivery: Delivery) => {
    if (observe !== null && request.content !== null) observe(delivery.id, request.content)
    const askedAt = clock.currentTimeMillisUnsafe()
    const settle = (outcome: Outcome): Effect.Effect<Sent, SendError> => {
      const at = clock.currentTimeMillisUnsafe()
      countSend(request, outcome._tag)
      timeAnswer(request, outcome._tag, Math.max(0, at - askedAt))
      const closed = Effect.matchEffect(closes(closing(delivery.id, outcome, request.statuses, at)), {
        onFailure: () => Effect.fail(unstored(outcome)),
        onSuccess: (closed) => answer(request, outcome, closed)
      })
      // The hold is released before the guard hears of it, which may take a step of the store.
      return outcome._tag === "Rejected" ? Effect.ensuring(closed, refused(verdict)) : closed
    }
    return Effect.matchCauseEffect(request.deliver(delivery, prepaid), {
      onFailure: (cause) => Effect.flatMap(gatewayDied(cause), settle),
      onSuccess: settle
    })
  }

  // The gateway's answer must reach the record. When the store is away for longer than a client waits, the client is
  // answered without it, and the attempts continue until this service stops.
  const closes = (close: Close): Effect.Effect<Closed, StoreError> =>
    store.close(close).pipe(Effect.catch(() => closesLater(close)))

  const closesLater = (close: Close): Effect.Effect<Closed, StoreError> =>
    Effect.retry(store.close(close), shortly).pipe(
      Effect.delay(SHORTEST),
      Effect.tapError((error) =>
        Effect.andThen(
          Effect.logError("the outcome of a send could not be stored; it is tried again", error),
          Background.fork(Effect.flatMap(Effect.retry(store.close(close), patiently), closedLater), scope)
        )
      )
    )

  /** The answer to a send that was not opened. */
  const notOpened = (opened: Exclude<Opened, IsOpened>): Effect.Effect<Sent, SendError> => {
    // The sender of the whole has the refusal, and answers with it.
    if (opened._tag === "WholeRefused") return Effect.fail(inFlight())
    if (opened._tag !== "Claimed") return Effect.fail(Admission.accountRefusal(opened))
    if (isShared(opened.claim)) return Effect.flatMap(closedInTime(opened.by), repeated)
    const conflict = Admission.conflictOf(opened)
    return conflict === null ? repeated(opened.by) : Effect.fail(conflict)
  }

  /** A delivery once it is closed, or as it is after a while. */
  const closedInTime = (delivery: Delivery): Effect.Effect<Delivery, StoreError> =>
    Effect.suspend(() => store.find(delivery)).pipe(
      Effect.map(Option.getOrElse(() => delivery)),
      Effect.repeat({ until: ({ phase }) => phase !== "pending", schedule: forAnotherSend }),
      Effect.interruptible
    )

  /** The first answer again, for a send that is repeated under its idempotency key. */
  const repeated = Effect.fnUntraced(function* (first: Delivery) {
    switch (first.phase) {
      case "pending":
        return yield* inFlight()
      case "rejected":
      case "unknown":
        return yield* storedFailure(first)
      case "accepted":
      case "refunded": {
        if (first.details[INCOMPLETE] === true) return yield* storedFailure(first)
        const account = yield* store.account(first.account)
        return {
          delivery: first,
          available: Option.match(account, { onNone: () => zero, onSome: (row) => row.balance.available })
        }
      }
    }
  })

  const resolve = Effect.fnUntraced(function* (id: Delivery["id"], outcome: Outcome, statuses: Statuses) {
    const at = yield* Clock.currentTimeMillis
    yield* closedLater(yield* store.close(closing(id, outcome, statuses, at)))
  })

  return Send.of({ send, resolve })
})

export const layer: Layer.Layer<Send, never, Needs> = Layer.effect(Send, make)

// A retry is set up only after a first failure, because every send would pay for the schedule.
const SHORTEST = "50 millis"
const shortly = Schedule.exponential(SHORTEST).pipe(Schedule.jittered, Schedule.upTo({ duration: "3 seconds" }))
const forAnotherSend = Schedule.spaced(SHORTEST).pipe(Schedule.upTo({ duration: "15 seconds" }))
const patiently = Schedule.spaced("2 seconds").pipe(Schedule.jittered)

/** The status of a record whose send a guard refused, on all channels. */
const BLOCKED: Status = { name: "blocked", rank: 2 }

/** The client's answer to an outcome that is on the record. */
const answer = (
  { keys: { origin } }: Request,
  outcome: Outcome,
  closed: Closed | IsOpened
): Effect.Effect<Sent, DeliveryFailure> => {
  if (closed._tag !== "Missing") origin?.stored?.(closed.delivery, followedBy(closed))
  const failure = failureOf(outcome)
  if (failure !== null) return Effect.fail(failure)
  if (closed._tag === "Missing") return Effect.die(new Error("the store lost an open delivery"))
  return Effect.succeed({ delivery: closed.delivery, available: closed.available })
}

const followedBy = (closed: Closed | IsOpened): Delivery | null =>
  closed._tag === "Closed" ? (closed.followed?.delivery ?? null) : null

/** The client's answer to an outcome that is not on the record yet. A message that was taken must not be sent again. */
const unstored = (outcome: Outcome): DeliveryFailure =>
  failureOf(outcome) ??
  new ServiceUnavailable({ message: "The send could not be recorded; it is unknown whether the message was sent." })

// By contract a gateway does not fail. If it does, it may have sent the message: the hold stays.
const gatewayDied = (cause: unknown): Effect.Effect<Outcome> =>
  Effect.as(Effect.logError("a gateway died in the middle of a send", cause), {
    _tag: "Unknown",
    failure: new ServiceUnavailable({ message: "The gateway failed; it is unknown whether the message was sent." }),
    refs: [],
    details: {}
  })
