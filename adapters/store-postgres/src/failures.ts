/**
 * Errors of the driver and the server, classified by their meaning for a step.
 *
 * An error is definite if the step did not happen, and uncertain if the connection ended after the step was written:
 * then it may have happened, and repeating it with the same ids shows whether it did.
 */
import { StoreError } from "@watchword/store/StoreError"
import { DatabaseError } from "pg"

/**
 * - `unavailable`: definite; the server refused the step, or there was no connection.
 * - `conflict`: definite; another transaction interfered, and an immediate retry may succeed.
 * - `locked`: definite; another transaction kept a row locked for longer than the lock timeout.
 * - `cancelled`: definite; the server stopped the statement, at its timeout or on request.
 * - `standby`: definite; the server accepts no writes, because another server is now the primary.
 * - `lost`: uncertain; the connection ended after the step was written.
 * - `mistake`: definite; this program made a mistake, and no attempt can succeed.
 */
export type Kind = "unavailable" | "conflict" | "locked" | "cancelled" | "standby" | "lost" | "mistake"

export class Failure extends Error {
  readonly kind: Kind
  /** For operators: without values and secrets. */
  readonly why: string
  /** Whether the step may have happened. */
  readonly uncertain: boolean

  constructor(kind: Kind, why: string, uncertain: boolean = kind === "lost") {
    super(`The database failed: ${why}.`)
    this.kind = kind
    this.why = why
    this.uncertain = uncertain
  }

  /** The same failure, after an earlier attempt that may have happened. */
  afterUncertain(): Failure {
    return new Failure(this.kind, this.why, true)
  }

  /** The port's error. */
  toStoreError(): StoreError {
    return new StoreError({
      reason: this.uncertain ? "Unknown" : "Unavailable",
      message: `The database did not answer: ${this.why}.`
    })
  }
}

/** Classifies the error of a query that was written to the connection. */
export const failed = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseError) return failedWith(error)
  return new Failure("lost", `the connection was lost${codeOf(error)}`)
}

/** Classifies an error of connecting. */
export const unreachable = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (error instanceof DatabaseError) return new Failure("unavailable", `${error.message} (${error.code ?? "?"})`)
  const text = `${error instanceof Error ? error.message : ""}${codeOf(error)}`
  const [, reason = "no connection"] = reasons.find(([pattern]) => pattern.test(text)) ?? []
  return new Failure("unavailable", `${reason}${codeOf(error)}`)
}

/** The reason why there is no connection, from the message or the code of the driver, Node or OpenSSL. */
const reasons: ReadonlyArray<readonly [RegExp, string]> = [
  [/password must be a/, "the server asks for a password, but the URL has no password"],
  [
    /does not support SSL/,
    "the server has no TLS; sslmode=disable leaves it out, for a network that others cannot read"
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)/,
    "the certificate of the server is of no known authority; sslrootcert names a file with its authority"
  ],
  [/ALTNAME_INVALID/, "the certificate of the server is for another host"],
  [/CERT_HAS_EXPIRED/, "the certificate of the server has expired"],
  [/timeout/, "no connection in time"]
]

export const closedError = () => new StoreError({ reason: "Unavailable", message: "The database is closed." })

const failedWith = ({ code = "?", message }: DatabaseError): Failure => {
  if (/^(?:57P0[12]|08)/.test(code)) return new Failure("lost", `${message} (${code})`)
  if (code === "55P03") return new Failure("locked", `another transaction keeps a row locked (${code})`)
  if (code === "57014") return new Failure("cancelled", `${message} (${code})`)
  // Deadlocks, serialization failures, and a unique key that another transaction took first.
  if (/^(?:40|23505)/.test(code)) return new Failure("conflict", `${message} (${code})`)
  if (code === "25006") return new Failure("standby", `the server takes no writes (${code})`)
  if (CIRCUMSTANCES.test(code)) return new Failure("unavailable", `${message} (${code})`)
  return new Failure("mistake", `${message} (${code})`)
}

// Resources, operator intervention, the system, and privileges.
const CIRCUMSTANCES = /^(?:53|55|57|58|28|3D|42501|XX00[12])/

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null
  return code === null ? "" : ` (${code})`
}
