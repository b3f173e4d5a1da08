/**
 * The part of the port that keeps the log of refused requests: what customers asked for and did not get.
 */
import type { Mode } from "@watchword/schemas/Channel"
import { type AccountId, type KeyId, firstUlid } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type { StoreError } from "../StoreError.ts"

/** A request that was refused or failed, or several alike. It has no body, no code and no secret. */
export interface RefusedRequest {
  /** A ULID, of the time of the answer. */
  readonly id: string
  /** The account of the request's key; null if the key is unknown. */
  readonly account: AccountId | null
  readonly mode: Mode | null
  readonly key: KeyId | null
  /** The method and the route's pattern, such as `POST /verifications`. */
  readonly operation: string
  readonly status: number
  /** The code of the error, such as `TOO_MANY_REQUESTS`. */
  readonly code: string
  readonly reason: string | null
  readonly requestId: string | null
  /** The network of the client, as `networkOf` of `@watchword/schemas/IpAddress` has it. */
  readonly client: string | null
  /** The number in the request, masked; {@link FORGOTTEN} once it is erased. */
  readonly number: string | null
  /** How many requests the row stands for: the requests of a flood share rows, which have no id of a request. */
  readonly count: number
}

/** Which refused requests are looked at, the newest first. */
export interface RefusedQuery {
  /** The times that the ids are of: from the first on, and before the second. */
  readonly since: number
  readonly until: number
  /** The ids are less than this one; null for any. */
  readonly before: string | null
  /** Null for any, as below. */
  readonly account: AccountId | null
  readonly mode: Mode | null
  readonly status: number | null
  readonly code: string | null
  readonly operation: string | null
  readonly limit: number
  /** The most rows of these times and this account that are looked at. */
  readonly reach: number
}

export interface FoundRefused {
  readonly rows: ReadonlyArray<RefusedRequest>
  /** The `before` of the rest; null if all rows of these times were looked at. */
  readonly next: string | null
}

export interface RefusedStore {
  /** Adds rows. One whose id is there already stays as it is. */
  readonly addRefused: (rows: ReadonlyArray<RefusedRequest>) => Effect.Effect<void, StoreError>

  readonly refused: (query: RefusedQuery) => Effect.Effect<FoundRefused, StoreError>

  /**
   * Deletes rows of a time before `before`, and rows beyond the `most` that were added last: the oldest first, and at
   * most `limit` of each kind. Answers how many. Called every minute: one index look-up each while nothing is to go.
   */
  readonly pruneRefused: (query: {
    readonly before: number
    readonly most: number
    readonly limit: number
  }) => Effect.Effect<number, StoreError>
}

/** The ids of a query: from the first on, and less than the second. */
export const refusedIds = ({ before, since, until }: Pick<RefusedQuery, "before" | "since" | "until">) => {
  const end = firstUlid(until)
  return { first: firstUlid(since), end: before !== null && before < end ? before : end }
}

/**
 * The answer of a query.
 *
 * @param rows the first that meet its conditions, at most `limit`
 * @param last the id of the last row that was looked at; null if there are no further rows
 */
export const foundRefused = (
  { limit }: Pick<RefusedQuery, "limit">,
  rows: ReadonlyArray<RefusedRequest>,
  last: string | null
): FoundRefused => ({ rows, next: rows.length >= limit ? (rows.at(-1)?.id ?? last) : last })
