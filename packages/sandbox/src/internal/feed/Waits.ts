/**
 * Requests that wait for a message: a few of each account at a time, until the service drains.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Following } from "@watchword/send/channel/Operation"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Shared from "./Shared.ts"

export interface Waits {
  /** Runs an effect for which an account waits. It ends with `none` once the service drains. */
  readonly within: <A, E>(
    account: AccountId,
    looking: Effect.Effect<A, E>,
    none: A
  ) => Effect.Effect<A, E | TooManyRequests>
  /**
   * The same for streams, which end once the service drains. It fails where one more is too many, and then counts from
   * the first answer that is asked for. Where all streams are taken, the oldest one of the account that has the most
   * gives way to accounts that have fewer: it ends.
   */
  readonly following: <A>(account: AccountId, following: Following<A>) => Effect.Effect<Following<A>, TooManyRequests>
  /** Ends all waits, including later ones. */
  readonly end: Effect.Effect<void>
}

/** How many requests of an account may wait in a process, and how many streams there may be in all. */
const MOST = 10
const MOST_STREAMS = 100

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

  const streams = Shared.make<AccountId>(MOST_STREAMS)

  return {
    following: (account, { after, end }) =>
      Effect.suspend(() => {
        const isFull = () => (waiting.get(account) ?? 0) >= MOST
        if (!streams.hasRoom(account)) return Effect.fail(tooManyStreams())
        if (isFull()) return Effect.fail(tooMany())
        const over = Deferred.makeUnsafe<void>()
        let leave: (() => void) | null = null
        let isOver = false
        const finish = (): void => {
          if (leave !== null) add(account, -1)
          leave?.()
          leave = null
          isOver = true
        }
        const giveWay = (): void => {
          finish()
          Deferred.doneUnsafe(over, Effect.void)
        }
        const begin = (): void => {
          leave = isFull() ? null : streams.enter(account, giveWay)
          if (leave === null) isOver = true
          else add(account, 1)
        }
        const ended = Effect.raceFirst(Deferred.await(drained), Deferred.await(over))
        return Effect.succeed({
          after: (id) =>
            Effect.suspend(() => {
              if (leave === null && !isOver) begin()
              return isOver ? Effect.succeed(null) : Effect.raceFirst(after(id), Effect.as(ended, null))
            }),
          end: Effect.andThen(end, Effect.sync(finish))
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
