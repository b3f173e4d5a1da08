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

export interface VerifyService {
  readonly sid: string
  /** The name of its workflow; null for the account's default. */
  readonly workflow: string | null
  /** The purpose of its verifications. */
  readonly purpose: string
}

export interface Services {
  readonly all: Program<ReadonlyArray<VerifyService>>
  readonly find: (sid: string, path: string) => Program<VerifyService>
  readonly accountName: Program<string>
  /** The name of a template, by its name or its `HJ…`. */
  readonly templateOf: (given: string) => Program<string>
}

/** A program with the services of the running one. */
export type Program<A> = Effect.Effect<A, Refused | StoreError, Running>

export type Answered = Program<HostResponse>
