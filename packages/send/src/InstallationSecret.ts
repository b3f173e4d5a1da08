/**
 * The secret of an installation: all processes on one store share it, and the store never holds it.
 *
 * The claims of sends are codes under it, so that a code of few digits cannot be guessed back from a copy of the
 * database. Without a secret they are plain digests. Another secret makes repeats of the last day new sends.
 */
import * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"

/** The secret; null for none. Read when the service is made. */
export const InstallationSecret = Context.Reference<Redacted.Redacted | null>("@watchword/send/InstallationSecret", {
  defaultValue: () => null
})
