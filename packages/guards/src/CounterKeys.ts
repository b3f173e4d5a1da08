/**
 * Keys of counters: codes of what is counted under the installation's secret, so that a copy of the database does not tell
 * the numbers and addresses of users.
 */
import { hmacSha256, sha256 } from "@watchword/schemas/Sha256"
import * as Redacted from "effect/Redacted"

export type CounterKey = (...parts: ReadonlyArray<string>) => string

/** Digits of a code that are kept: 128 bits. */
const DIGITS = 32

/** @param secrets of the installation; counters under another first secret begin at zero */
export const make = ([secret]: ReadonlyArray<Redacted.Redacted>): CounterKey => {
  const digest = secret === undefined ? sha256 : hmacSha256(Redacted.value(secret))
  // JSON keeps different lists of parts apart.
  return (...parts) => digest(JSON.stringify(["guards", ...parts])).slice(0, DIGITS)
}
