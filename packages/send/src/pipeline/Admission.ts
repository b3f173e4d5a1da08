/**
 * The admission of a request, between its key and its hold: the guard's verdict, the endpoints that watch, and the
 * client's answer if the store opens nothing. Sends and verifications are admitted by the same rules.
 */
import {
  type Conflict,
  type Forbidden,
  type PaymentRequired,
  Unauthorized,
  accountSuspended,
  duplicateRequest,
  keyReused
} from "@watchword/schemas/Errors"
import type { Added } from "@watchword/store/Counters"
import { type Claim, type Open, type OpenRefused, type Opened, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { isIdempotent } from "../Claims.ts"
import { type Asked, SendGuard, type Verdict, passed } from "../SendGuard.ts"
import { insufficient } from "../internal/Refusals.ts"
import { Simulator } from "../internal/Simulator.ts"
import { type Asked as Watched, Watchers } from "./Watchers.ts"

type Watching = Pick<Open, "watch">

/** A request that another request keeps from being opened. */
export type Claimed = Extract<Opened, { readonly _tag: "Claimed" }>

export interface Admission {
  /**
   * The verdict on a request: for a sandbox key the verdict that the number plays, otherwise the guard's.
   *
   * @param now milliseconds since the epoch
   */
  readonly check: (asked: Asked, now: number) => Effect.Effect<Verdict>

  /** Removes the guard's counts of a request that sent nothing. */
  readonly unsent: (counted: ReadonlyArray<Added>) => Effect.Effect<void>

  /**
   * The endpoints that learn of a delivery, as a part of its opening.
   *
   * @param now milliseconds since the epoch
   */
  readonly watching: (asked: Watched, now: number) => Effect.Effect<Watching, StoreError>

  /** Opens a delivery. An opening whose result is not known is repeated under the same id, which opens at most once. */
  readonly open: (open: Open) => Effect.Effect<Opened, StoreError>
}

export const make: Effect.Effect<Admission, never, SendGuard | Store | Watchers> = Effect.gen(function* () {
  const guard = yield* SendGuard
  const simulator = yield* Simulator
  const store = yield* Store
  const watchers = yield* Watchers

  return {
    check: (asked, now) => {
      const played = asked.principal.mode === "sandbox" ? (simulator?.verdict(asked.to) ?? null) : null
      if (played !== null) return Effect.succeed(played)
      return guard === null ? Effect.succeed(passed) : guard.check(asked, now)
    },
    unsent: (counted) => (guard === null || counted.length === 0 ? Effect.void : guard.unsent(counted)),
    watching: (asked, now) =>
      watchers === null
        ? Effect.succeed(unwatched)
        : Effect.mapEager(watchers.watch(asked, now), (watch) => (watch === null ? unwatched : { watch })),
    open: (open) =>
      Effect.catchIf(store.open(open), isUnknown, () => Effect.retry(store.open(open), { times: 1, while: isUnknown }))
  }
})

const unwatched: Watching = {}

const isUnknown = ({ reason }: StoreError): boolean => reason === "Unknown"

/** The claims of a request that the guard refuses: they end at once, so that the request may be made again. */
export const endedAt = (claims: ReadonlyArray<Claim>, at: number): ReadonlyArray<Claim> =>
  claims.map((claim) => ({ ...claim, expiresAt: at }))

/** The conflict of a request with the holder of its claim; null if it is answered like the holder. */
export const conflictOf = ({ claim, sameFingerprint }: Claimed): Conflict | null => {
  if (!isIdempotent(claim)) return duplicateRequest()
  return sameFingerprint ? null : keyReused()
}

/** The client's answer if the account keeps a request from being opened. */
export const accountRefusal = ({ _tag }: Exclude<OpenRefused, Claimed>): Forbidden | PaymentRequired | Unauthorized => {
  switch (_tag) {
    case "Insufficient":
      return insufficient()
    case "Suspended":
      return accountSuspended()
    case "NoAccount":
      return new Unauthorized({ message: "The API key or the account id is not valid." })
  }
}
