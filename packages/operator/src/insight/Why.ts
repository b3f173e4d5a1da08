/**
 * Why a user got no code: what happened for one number in all accounts and modes, and the likely reason.
 *
 * A story has no code, no text, and no caller, whose last digits are a code. It is compiled from records: requests
 * without a record (refused keys, a balance that was too small, a number without a price) are not in it.
 */
import type { Mode } from "@watchword/schemas/Channel"
import { spellings } from "@watchword/schemas/phone"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Delivery } from "@watchword/store/Delivery"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Described } from "@watchword/send/channel/Features"
import * as Amounts from "./Amounts.ts"
import { lastOf, reasonOf } from "./why/Reason.ts"
import { heldFor } from "./why/Refusals.ts"
import type { Explained } from "./why/Remedies.ts"
import { isBlocked, sendLines } from "./why/Sends.ts"
import { isVerification, verificationLines } from "./why/Verifications.ts"
import * as Words from "./why/Words.ts"

/** A verification, with the money of its sends, or a send. */
export interface Item extends Amounts.Money {
  readonly id: string
  readonly account: string
  /** The account's name. */
  readonly name: string
  readonly mode: Mode
  readonly channel: string
  /** When it was requested, ISO 8601. */
  readonly at: string
  readonly status: string
  /** Seconds from the request to the last status change. */
  readonly took: number
  /** The verification whose code it sends; null for a send of its own, and for a verification. */
  readonly verification: string | null
  /** What happened, in order. */
  readonly lines: ReadonlyArray<string>
}

export interface Story {
  readonly number: E164
  /** ISO 8601. */
  readonly since: string
  /** The newest last. */
  readonly items: ReadonlyArray<Item>
  /** Whether older ones were left out. */
  readonly truncated: boolean
  /** The likely reason why the last code did not arrive, in plain words and without a stop at its end. */
  readonly reason: string
  /** What to do about it, on the command line. */
  readonly remedy: string
  /** The same for the console, which names its own pages and buttons. */
  readonly console: Explained
}

export interface Options {
  /** Milliseconds since the epoch: a week ago unless given, and a year ago at most. */
  readonly since?: number | undefined
  /** The most items: 200 unless given. */
  readonly limit?: number
}

const DAY = 24 * 60 * 60 * 1000
const LONGEST = 366 * DAY

/** The story of a number, and of its phone under another spelling. */
export const why = Effect.fnUntraced(function* (
  number: E164,
  { limit = 200, since }: Options = {}
): Effect.fn.Return<Story, StoreError, Described | Settings | Store> {
  const store = yield* Store
  const words = Words.make(yield* Described)
  const now = yield* Clock.currentTimeMillis
  const from = Math.max(since ?? now - 7 * DAY, now - LONGEST)
  const byNumber = yield* Effect.forEach(spellings(number), (to) =>
    store.deliveriesTo({ to, since: from, until: now, limit: limit + 1 })
  )
  const all = byNumber.flat()
  const found = byNumber.length === 1 ? all : all.toSorted((one, other) => other.createdAt - one.createdAt)
  const records = found.slice(0, limit).toReversed()
  const names = yield* namesOf(records)
  const last = lastOf(records)
  const held =
    last !== undefined && records.some(isBlocked) ? yield* heldFor(number, last.account) : { to: number, block: null }
  return {
    number,
    since: iso(from),
    items: records.map((record) => itemOf(record, records, names.get(record.account) ?? "", words)),
    truncated: found.length > limit,
    ...reasonOf(records, words, held)
  }
})

/** The names of the accounts that records have. */
const namesOf = Effect.fnUntraced(function* (records: ReadonlyArray<Delivery>) {
  const store = yield* Store
  const accounts = yield* Effect.forEach(new Set(records.map(({ account }) => account)), store.account)
  return new Map(accounts.flatMap(Option.toArray).map(({ account }) => [account.id, account.name]))
})

const itemOf = (delivery: Delivery, records: ReadonlyArray<Delivery>, name: string, words: Words.Words): Item => {
  const { account, channel, createdAt, details, id, mode, status, statusAt } = delivery
  const { verification } = details
  const sends = isVerification(delivery)
    ? records.filter((record) => record.details["verification"] === id)
    : [delivery]
  const micros = Amounts.sumOf(sends.map(Amounts.microsOf))
  return {
    id,
    account,
    name,
    mode,
    channel,
    at: iso(createdAt),
    status: status.name,
    took: (statusAt - createdAt) / 1000,
    verification: typeof verification === "string" ? verification : null,
    ...Amounts.inEuros(micros),
    lines: isVerification(delivery)
      ? [...verificationLines(delivery), ...Amounts.moneyLines(micros, "the carriers ask")]
      : sendLines(delivery, words)
  }
}

const iso = (at: number): string => new Date(at).toISOString()
