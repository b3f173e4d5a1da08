/**
 * Names for parts of bodies.
 */
import type { Listed } from "./Lists.ts"
import type { Verification } from "./Verify.ts"

/** A status, and since when, in Unix seconds. */
export interface Since<Status> {
  readonly status: Status
  readonly updated_at: number
}

/** The fields that lists of verifications filter and sort by. */
export type VerificationFields = Pick<Verification, Listed<Verification>>
