/**
 * A request that has passed the door, and what each part of the door answers it with.
 */
import type { HostResponse } from "@watchword/server/Host"
import type * as Effect from "effect/Effect"
import type { Refused } from "./Answers.ts"
import type { Fields } from "./Fields.ts"
import type { Interface } from "./Interface.ts"
import type { Services } from "./Services.ts"

export interface Asked {
  /** The id of the account, `acc_…`. */
  readonly account: string
  readonly api: Interface
  readonly services: Services
  /** The parameters of the body. */
  readonly fields: Fields
  /** The parameters of the query. */
  readonly query: Fields
  /** Whether `Channel=call` is a flash call. */
  readonly isFlashCalled: boolean
  /** The address of a path of the door. */
  readonly urlOf: (path: string) => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export type Answered = Effect.Effect<HostResponse, Refused>
