/**
 * Requests that wait for a message: a few of each account at a time, until the service drains.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Following } from "@watchword/send/channel/Operation"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export interface Waits {
  /** Runs what an account waits for. It ends with `none` once the service drains. */
  readonly within: <A, E>(
    account: AccountId,
    looking: Effect.Effect<A, E>,
    none: A
  ) => Effect.Effect<A, E | TooManyRequests>
  /**
   * The same for what is followed, which ends once the service drains. It fails where one more is too many, and then counts from
   * the first answer that is asked for.
   */
  readonly following: <A>(account: AccountId, following: Following<A>) => Effect.Effect<Following<A>, TooManyRequests>
  /** Ends all waits, also those that are asked for later. */
  readonly end: Effect.Effect<void>
}

/** How many requests of an account may wait in a process, and how many streams there may be in all. */
const MOST = 10
const MOST_STREAMS = 100

export const make = (): Waits => {
  const waiting = new Map<AccountId, number>()
  let streams = 0
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
    following: (account, { after, end }) =>
      Effect.suspend(() => {
        if (streams >= MOST_STREAMS) return Effect.fail(tooManyStreams())
        if ((waiting.get(account) ?? 0) >= MOST) return Effect.fail(tooMany())
        let isCounted = false
        const count = (difference: 1 | -1): void => {
          isCounted = difference === 1
          streams += difference
          add(account, difference)
        }
        return Effect.succeed({
          after: (id) =>
            Effect.suspend(() => {
              if (!isCounted) count(1)
              return Effect.raceFirst(after(id), Effect.as(Deferred.await(drained), null))
            }),
          end: Effect.andThen(
            end,
            Effect.sync(() => {
              if (isCounted) count(-1)
            })
          )
        })
      }),
    within: (account, looking, none) =>
      Effect.acquireUseRelease(
        begin(account),
        () => Effect.raceFirst(looking, Effect.as(Deferred.await(drained), none)),
        () => Effect.sync(() => add(account, -1))
      ),
    end: Effect.asVoid(Deferred.succeed(drained, undefined))
  }
}

const tooManyStreams = () =>
  new TooManyRequests({
    message: `At most ${MOST_STREAMS} streams of the sandbox may be open at a time.`,
    reason: "too_many_waits",
    retryAfter: 5
  })

const tooMany = () =>
  new TooManyRequests({
    message: `At most ${MOST} requests of an account may wait for messages at a time.`,
    reason: "too_many_waits",
    retryAfter: 1
  })
