/**
 * A request that has passed the door, and what each part of the door answers it with.
 */
import type { HostResponse } from "@watchword/server/Host"
import type { StoreError } from "@watchword/store/StoreError"
import type * as Effect from "effect/Effect"
import type { Services as Running } from "watchword/Services"
import type { Refused } from "./Answers.ts"
import type { Calls } from "./Calls.ts"
import type { Fields } from "./Fields.ts"
import type { Services } from "./Services.ts"

export interface Asked {
  /** The id of the account, `acc_…`. */
  readonly account: string
  readonly calls: Calls
  readonly services: Services
  /** The parameters of the body. */
  readonly fields: Fields
  /** The parameters of the query. */
  readonly query: Fields
  /** Whether `Channel=call` is a flash call. */
  readonly isFlashCalled: boolean
  /** The address of a path of the door. */
  readonly urlOf: (path: string) => string
}

/** A program with the services of the running one. */
export type Program<A> = Effect.Effect<A, Refused | StoreError, Running>

export type Answered = Program<HostResponse>
