/**
 * The parts that a gateway's test supplies to the suite.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Service } from "../../ChatgwGateway.ts"

export interface Harness {
  /** Opens a gateway, with a provider of its own. */
  readonly start: Effect.Effect<Started, Error, Scope.Scope>
  readonly numbers: Numbers
}

export interface Started {
  readonly gateway: Service
  /** Lets time pass for the provider. */
  readonly elapse: (time: Duration.Input) => Effect.Effect<void>
}

export interface Numbers {
  /** Takes codes, and does not read them by itself. */
  readonly withAccount: E164
  readonly withoutAccount: E164
}
