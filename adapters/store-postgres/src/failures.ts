/**
 * What may go wrong between the store and the server, and what that means for a step.
 */
import { StoreError } from "@watchword/store/StoreError"
import { DatabaseError } from "pg"

/**
 * - `refused`: the step did not happen.
 * - `conflict`: it did not happen, because of what others did at the same time; it may do so at once.
 * - `busy`: it did not happen, because somebody kept a lock for too long.
 * - `lost`: the connection ended after the step was written. It may have happened.
 * - `mistake`: it did not happen and never will; a mistake of this program.
 */
export type Kind = "refused" | "conflict" | "busy" | "lost" | "mistake"

export class Failure extends Error {
  readonly kind: Kind
  /** For operators: without values and secrets. */
  readonly why: string

  constructor(kind: Kind, why: string) {
    super(`The database failed: ${why}.`)
    this.kind = kind
    this.why = why
  }
}

/** What an error means for a query that has been written to the connection. */
export const failed = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseError) return failedWith(error)
  return new Failure("lost", `the connection was lost${codeOf(error)}`)
}

/** What it means that no connection could be had. */
export const unreachable = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseError) return new Failure("refused", `${error.message} (${error.code ?? "?"})`)
  const why = error instanceof Error && /timeout/.test(error.message) ? "no connection in time" : "no connection"
  return new Failure("refused", `${why}${codeOf(error)}`)
}

/** The port's error for a failure. `inDoubt` says that an earlier attempt may have happened. */
export const toStoreError = ({ kind, why }: Failure, inDoubt: boolean): StoreError =>
  new StoreError({
    reason: inDoubt || kind === "lost" ? "Unknown" : "Unavailable",
    message: `The database did not answer: ${why}.`
  })

export const closedError = () => new StoreError({ reason: "Unavailable", message: "The database is closed." })

const failedWith = ({ code = "?", message }: DatabaseError): Failure => {
  if (/^(?:57P0[12]|08)/.test(code)) return new Failure("lost", `${message} (${code})`)
  if (code === "55P03") return new Failure("busy", `another transaction keeps a row locked (${code})`)
  // Deadlocks, serialization, a key that another took first.
  if (/^(?:40|23505)/.test(code)) return new Failure("conflict", `${message} (${code})`)
  if (CIRCUMSTANCES.test(code)) return new Failure("refused", `${message} (${code})`)
  return new Failure("mistake", `${message} (${code})`)
}

// Resources, the operator, the system, rights, and a server that only reads, as one does after a fail-over.
const CIRCUMSTANCES = /^(?:53|55|57|58|28|3D|42501|25006|XX00[12])/

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null
  return code === null ? "" : ` (${code})`
}
