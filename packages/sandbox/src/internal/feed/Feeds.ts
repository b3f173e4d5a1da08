/**
 * Feeds of the accounts that are followed, and how they are kept up to date: a feed is read when something changes in
 * this process, and every now and then for what other processes do. A feed without followers costs nothing.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { PhoneEvent, PhoneEvents } from "@watchword/schemas/SandboxPhone"
import type { Principal } from "@watchword/schemas/Account"
import { BackgroundAllowed, DeliveryChanges, isOfSandbox } from "@watchword/send/pipeline"
import type { Following } from "@watchword/send/channel/Operation"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Feed } from "./Feed.ts"

export interface Feeds {
  /** The current changes after a cursor. */
  readonly now: (principal: Principal, cursor: string | null) => Effect.Effect<PhoneEvents, StoreError>
  /** The changes after a cursor, once there are any. */
  readonly next: (principal: Principal, cursor: string) => Effect.Effect<PhoneEvents, StoreError>
  /** The current changes after a cursor, and then each time that there are more; ends if the store fails. */
  readonly follow: (principal: Principal, cursor: string | null) => Following<PhoneEvents>
  /** Has those look again who follow an account. */
  readonly wake: (account: AccountId) => Effect.Effect<void>
}

/** Reads all things of an account's sandbox. */
export type ReadAll = (principal: Principal) => Effect.Effect<ReadonlyArray<PhoneEvent>, StoreError>

/** How many accounts' feeds are kept in memory; followed feeds stay. */
const MOST_FEEDS = 100

/** How long changes are gathered before a feed is read, so that a burst is read once. */
const GATHERING = "50 millis"

export const make = Effect.fnUntraced(function* (
  readAll: ReadAll
): Effect.fn.Return<Feeds, never, DeliveryChanges | Scope | Store> {
  const { cluster } = (yield* Store).manifest
  const hasBackground = yield* BackgroundAllowed
  const feeds = new Map<AccountId, Feed>()

  // Where no process is the only one, the others' changes are found by looking.
  const lookEvery = !hasBackground ? "2 seconds" : cluster ? "1 second" : "5 seconds"

  const feedOf = (account: AccountId): Feed => {
    const feed = feeds.get(account) ?? new Feed()
    feeds.delete(account)
    feeds.set(account, feed)
    for (const [other, { followers }] of feeds) {
      if (feeds.size <= MOST_FEEDS) break
      if (followers === 0 && other !== account) feeds.delete(other)
    }
    return feed
  }

  const read = (principal: Principal): Effect.Effect<Feed, StoreError> =>
    Effect.suspend(() => {
      const feed = feedOf(principal.account.id)
      const number = feed.begin()
      return Effect.map(readAll(principal), (events) => {
        feed.take(number, events)
        return feed
      })
    })

  /** Waits until a feed was woken since, or for that long. */
  const news = (feed: Feed, wakings: number): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      if (feed.wakings !== wakings) return resume(Effect.void)
      const forget = feed.onWake(() => resume(Effect.void))
      return Effect.sync(forget)
    }).pipe(Effect.andThen(Effect.sleep(GATHERING)), Effect.timeoutOption(lookEvery), Effect.asVoid)

  const wake = (account: AccountId): Effect.Effect<void> => {
    feeds.get(account)?.wake()
    return Effect.void
  }

  yield* (yield* DeliveryChanges).onChange(isOfSandbox, ({ delivery }) => wake(delivery.account))

  const join = ({ account }: Principal): Feed => {
    const feed = feedOf(account.id)
    feed.followers++
    return feed
  }

  const leave = (feed: Feed): void => {
    feed.followers--
  }

  const now: Feeds["now"] = (principal, cursor) => Effect.map(read(principal), (feed) => feed.since(cursor))

  /** The changes after a cursor, once there are any. */
  const behind = Effect.fnUntraced(function* (principal: Principal, feed: Feed, cursor: string) {
    for (;;) {
      const { wakings } = feed
      const found = yield* now(principal, cursor)
      if (found.reset || found.events.length > 0) return found
      yield* news(feed, wakings)
    }
  })

  return {
    now,
    next: (principal, cursor) =>
      Effect.acquireUseRelease(
        Effect.sync(() => join(principal)),
        (feed) => behind(principal, feed, cursor),
        (feed) => Effect.sync(() => leave(feed))
      ),
    follow: (principal, cursor) => {
      let feed: Feed | null = null
      return {
        after: (id) =>
          Effect.suspend(() => {
            feed ??= join(principal)
            return id === null ? now(principal, cursor) : behind(principal, feed, id)
          }).pipe(
            Effect.map((answer) => ({ id: answer.cursor, answer })),
            Effect.catch((error) => Effect.as(Effect.logError(BROKEN, error), null))
          ),
        end: Effect.sync(() => {
          if (feed !== null) leave(feed)
        })
      }
    },
    wake: (account) => Effect.suspend(() => wake(account))
  }
})

const BROKEN = "a stream of the sandbox has ended, because its account could not be read"
