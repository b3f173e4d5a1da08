/**
 * The secrets of an installation: all processes on one store share them, and the store never holds them.
 *
 * The claims of sends and the codes of verifications are made under them, so that a code of few digits cannot be
 * guessed back from a copy of the database. Without a secret claims are plain digests. A secret is replaced by putting
 * another one before it; it stays in the list for a day, so that repeats are recognised and codes on their way can be
 * entered.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"

/** The secrets: the first is in use, the others are those before it. */
export class InstallationSecret extends Context.Service<InstallationSecret, ReadonlyArray<Redacted.Redacted>>()(
  "@watchword/send/pipeline/InstallationSecret"
) {}

/** No secret: claims are plain digests, and codes end with the process. */
export const layerNone: Layer.Layer<InstallationSecret> = Layer.succeed(InstallationSecret, [])
