/**
 * Requests that wait until a user has acted: woken by one listener of the process, and by signals of other processes,
 * so that thousands that wait cost no query.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Account"
import { type Change, BackgroundAllowed, DeliveryChanges, type DeliveryChange } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { openForms } from "./plan/Receives.ts"
import type { Plans } from "./Plans.ts"
import { PRODUCT, type Stored } from "./VerificationRecord.ts"

export interface Waiting {
  /**
   * The verification once it has changed while it waits for its user, or else after so many seconds; at once where it
   * does not wait, and where the service may not work in the background.
   */
  readonly news: (
    principal: Principal,
    stored: Stored,
    seconds: number
  ) => Effect.Effect<Stored, TooManyRequests | StoreError>
  /** Answers all requests that wait, and later ones at once. */
  readonly end: Effect.Effect<void>
}

/** How many requests of a key may wait in a process, and how many in all. */
const MOST_OF_KEY = 5_000
const MOST = 20_000

const TOPIC = "verification"

export const make = Effect.fnUntraced(function* (
  plans: Plans
): Effect.fn.Return<Waiting, StoreError, DeliveryChanges | Store | Scope> {
  const store = yield* Store
  const scope = yield* Effect.scope
  const changes = yield* DeliveryChanges
  const isAllowed = yield* BackgroundAllowed
  const wakes = new Map<DeliveryId, Set<Deferred.Deferred<void>>>()
  const byKey = new Map<string, number>()
  let count = 0
  let hasEnded = false

  const wake = (id: DeliveryId): void => {
    for (const waiting of wakes.get(id) ?? []) Deferred.doneUnsafe(waiting, Effect.void)
  }

  /** Wakes the requests of this process, and of others. */
  const heard = ({ delivery }: DeliveryChange): Effect.Effect<void> => {
    wake(delivery.id)
    return store.manifest.cluster
      ? Effect.asVoid(Effect.forkIn(Effect.ignore(store.signal({ topic: TOPIC, delivery: delivery.id })), scope))
      : Effect.void
  }

  if (isAllowed) {
    yield* changes.onChange(isAwaited, heard)
    yield* store.signals(({ delivery, topic }) => Effect.sync(() => (topic === TOPIC ? wake(delivery) : undefined)))
  }

  const enter = (key: string, id: DeliveryId) =>
    Effect.suspend(() => {
      const ofKey = byKey.get(key) ?? 0
      if (ofKey >= MOST_OF_KEY) return Effect.fail(tooMany(`At most ${MOST_OF_KEY} requests of a key`))
      if (count >= MOST) return Effect.fail(tooMany(`At most ${MOST} requests of all keys`))
      count++
      byKey.set(key, ofKey + 1)
      const waiting = Deferred.makeUnsafe<void>()
      const others = wakes.get(id) ?? new Set()
      wakes.set(id, others.add(waiting))
      return Effect.succeed(waiting)
    })

  const leave = (key: string, id: DeliveryId, waiting: Deferred.Deferred<void>): void => {
    count--
    const left = (byKey.get(key) ?? 1) - 1
    if (left === 0) byKey.delete(key)
    else byKey.set(key, left)
    const others = wakes.get(id)
    others?.delete(waiting)
    if (others?.size === 0) wakes.delete(id)
  }

  const isWaitedFor = ({ plan }: Stored, now: number): boolean => openForms(plan, now).length > 0

  const news: Waiting["news"] = Effect.fnUntraced(function* (principal, stored, seconds) {
    const { delivery } = stored
    const mayWait = isAllowed && !hasEnded && seconds > 0
    if (!mayWait || !isWaitedFor(stored, yield* Clock.currentTimeMillis)) return stored
    const key = principal.key ?? principal.account.id
    return yield* Effect.acquireUseRelease(
      enter(key, delivery.id),
      (waiting) =>
        Effect.gen(function* () {
          // It may have changed before this request was there to be woken.
          const now = Option.getOrElse(yield* plans.find(delivery, delivery.id), () => stored)
          if (now.version !== stored.version) return now
          yield* Effect.timeoutOption(Deferred.await(waiting), Duration.seconds(seconds))
          return Option.getOrElse(yield* plans.find(delivery, delivery.id), () => stored)
        }),
      (waiting) => Effect.sync(() => leave(key, delivery.id, waiting))
    )
  })

  const end = Effect.sync(() => {
    hasEnded = true
    for (const id of wakes.keys()) wake(id)
  })

  return { news, end }
})

/** Changes of verifications that have a step at which the user acts first. */
const isAwaited = (change: Change): change is DeliveryChange =>
  change.step === "report" &&
  change.delivery.channel === PRODUCT &&
  change.hasMoved &&
  change.delivery.details["receives"] !== undefined

const tooMany = (most: string) =>
  new TooManyRequests({
    message: `${most} may wait for verifications in a process at a time.`,
    reason: "too_many_waits",
    retryAfter: 1
  })
