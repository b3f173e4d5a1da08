/**
 * Secrets of gateways as options take them: plain text, or `Redacted` where a program keeps them so.
 */
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

export type Secret = string | Redacted.Redacted

/** Keeps a secret out of logs and errors. */
export const redacted = (secret: Secret): Redacted.Redacted =>
  Predicate.isString(secret) ? Redacted.make(secret) : secret

/** The text of a secret, for the place that sends it. */
export const textOf = (secret: Secret): string => (Predicate.isString(secret) ? secret : Redacted.value(secret))
