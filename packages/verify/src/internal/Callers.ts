/**
 * Numbers that calls of verifications come from: one of the account's pool, at random. Its last digits are the code.
 */
import { poolOfCallers } from "@watchword/schemas/Originators"
import type { Principal } from "@watchword/schemas/Account"
import { type Callers as Pool, areEnough, callersOf, drawCaller } from "@watchword/send/pipeline"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export interface Callers {
  /** Whether the last digits of a caller are as good as a code of a length. */
  readonly suffice: (principal: Principal, codeLength: number) => Effect.Effect<boolean, StoreError>
  /** A number for one call; null if the account has no pool. */
  readonly draw: (principal: Principal) => Effect.Effect<string | null, StoreError>
}

/** Numbers of the sandbox, for accounts without a pool: numbers that the German regulator reserves for films. */
const SANDBOX: Pool = {
  pool: poolOfCallers(["+493023125000-+493023125999"]),
  allowSmall: true
}

export const make: Effect.Effect<Callers, never, Settings> = Effect.map(Settings, (settings) => {
  const of = (principal: Principal): Effect.Effect<Pool | null, StoreError> =>
    Effect.map(
      Effect.provideService(callersOf(principal), Settings, settings),
      Option.getOrElse(() => (principal.mode === "sandbox" ? SANDBOX : null))
    )
  return {
    suffice: (principal, codeLength) =>
      Effect.map(of(principal), (callers) => callers !== null && areEnough(callers, codeLength)),
    draw: (principal) =>
      Effect.flatMap(of(principal), (callers) => (callers === null ? Effect.succeed(null) : drawCaller(callers.pool)))
  }
})
