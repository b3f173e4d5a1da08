/**
 * Requests that wait for a message: a few of each account at a time, until the service drains.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export interface Waits {
  /** Runs what an account waits for. It ends with `none` once the service drains. */
  readonly within: <A, E>(
    account: AccountId,
    looking: Effect.Effect<A, E>,
    none: A
  ) => Effect.Effect<A, E | TooManyRequests>
  /** Ends all waits, also those that are asked for later. */
  readonly end: Effect.Effect<void>
}

/** How many requests of an account may wait in a process. */
const MOST = 10

export const make = (): Waits => {
  const waiting = new Map<AccountId, number>()
  const drained = Deferred.makeUnsafe<void>()

  const add = (account: AccountId, difference: number): void => {
    const count = (waiting.get(account) ?? 0) + difference
    if (count === 0) waiting.delete(account)
    else waiting.set(account, count)
  }

  const begin = (account: AccountId) =>
    Effect.suspend(() => {
      if ((waiting.get(account) ?? 0) >= MOST) return Effect.fail(tooMany())
      add(account, 1)
      return Effect.void
    })

  return {
    within: (account, looking, none) =>
      Effect.acquireUseRelease(
        begin(account),
        () => Effect.raceFirst(looking, Effect.as(Deferred.await(drained), none)),
        () => Effect.sync(() => add(account, -1))
      ),
    end: Effect.asVoid(Deferred.succeed(drained, undefined))
  }
}

const tooMany = () =>
  new TooManyRequests({
    message: `At most ${MOST} requests of an account may wait for messages at a time.`,
    reason: "too_many_waits",
    retryAfter: 1
  })
