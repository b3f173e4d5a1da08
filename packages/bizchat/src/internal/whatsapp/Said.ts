/**
 * The platform's words about an error in addition to its code, fit for a line of the log: `message` of a refusal or of
 * a failed status, its title, and `error_data.details`, the only ones to name the parameter or the button that is
 * wrong.
 *
 * Source: the Cloud API, "Error codes": error response syntax.
 */
import { foreign } from "@watchword/send/gateway"
import * as Predicate from "effect/Predicate"

export interface Said {
  readonly said?: string
  readonly details?: string
}

/** Characters of a detail; titles and messages are shorter. */
const LONGEST = 200

/** @param error as a refusal or a failed status has it */
export const saidIn = (error: unknown): Said => {
  const data = Predicate.hasProperty(error, "error_data") ? error.error_data : undefined
  const code = textAt(error, "code")
  const said = textAt(error, "message") ?? textAt(error, "title")
  const details = textAt(data, "details")
  return {
    ...(said === null ? {} : { said: printable(said, code) }),
    ...(details === null ? {} : { details: printable(details, code) })
  }
}

/** The same without texts that must not be in a log, whatever they consist of. */
export const hiding =
  (secrets: ReadonlyArray<string | null>) =>
  ({ details, said }: Said): Said => {
    const without = (text: string): string =>
      secrets.reduce<string>((left, secret) => (secret ? left.replaceAll(secret, "…") : left), text)
    return {
      ...(said === undefined ? {} : { said: without(said) }),
      ...(details === undefined ? {} : { details: without(details) })
    }
  }

const printable = (text: string, code: string | null): string => foreign(text, LONGEST, code === null ? [] : [code])

const textAt = (value: unknown, key: string): string | null => {
  const found = Predicate.hasProperty(value, key) ? value[key] : undefined
  return typeof found === "string" || typeof found === "number" ? String(found) : null
}
