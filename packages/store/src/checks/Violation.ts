/**
 * The error of a case whose implementation breaks the contract.
 */
import * as Data from "effect/Data"

export class Violation extends Data.TaggedError("Violation")<{ readonly message: string }> {}
