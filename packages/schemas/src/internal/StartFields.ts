/**
 * Fields of a start with rules of their own: the last line of a text, the client's keys and texts, the payment.
 */
import * as Schema from "effect/Schema"
import { field, named } from "../Field.ts"
import { shortText } from "./shortText.ts"

/** The hash by which Android's SMS Retriever finds the texts of an app. */
export const AppHash = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9+/]{11}$/u, { message: "must be the 11 characters of an app's hash" })
)

/** An https origin such as `https://shop.example`, to whose pages browsers offer the code. */
export const WebOrigin = Schema.String.check(
  Schema.makeFilter(
    (text) => (isWebOrigin(text) ? undefined : "must be an https origin, such as https://shop.example"),
    { toJsonSchema: () => [{ format: "uri" }, true] }
  )
)

// The last line of a text names only the host, so there is no port.
const isWebOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { origin, port, protocol } = new URL(text)
  return protocol === "https:" && port === "" && origin === text
}

const MOST_ENTRIES = 10

// A key that a record's own schema refuses would be left out without a word.
const entries = (key: number, value: number) => {
  const isKey = Schema.is(shortText(1, key))
  return Schema.Record(Schema.String, shortText(0, value)).check(
    Schema.isMaxProperties(MOST_ENTRIES, { message: `must have at most ${MOST_ENTRIES} entries` }),
    Schema.makeFilter((record) =>
      Object.keys(record).every(isKey) ? undefined : `must have names of 1 to ${key} characters, in one line each`
    )
  )
}

const MOST_LIMIT_KEYS = 5

/** Values by which an operator's rules limit starts, by names of the client's own. */
export const LimitKeys = Schema.Record(Schema.String, shortText(1, 200)).check(
  Schema.isMaxProperties(MOST_LIMIT_KEYS, { message: `must have at most ${MOST_LIMIT_KEYS} entries` }),
  Schema.makeFilter((record) =>
    Object.keys(record).every((name) => /^[A-Za-z0-9_.-]{1,64}$/.test(name))
      ? undefined
      : "must have names of 1 to 64 letters, digits, dots, hyphens or underscores"
  )
)
export type LimitKeys = typeof LimitKeys.Type

/** Up to ten short texts of the client's own, which come back with the verification. */
export const Metadata = entries(40, 100)
export type Metadata = typeof Metadata.Type

/** Values for a template's own places. */
export const Variables = entries(40, 100)
export type Variables = typeof Variables.Type

/** The places of a template that the service fills. */
const reservedVariables: ReadonlyArray<string> = ["code", "minutes", "brand"]

export const OwnVariables = Variables.check(
  Schema.makeFilter((variables) =>
    reservedVariables
      .filter((name) => Object.hasOwn(variables, name))
      .map((name) => ({ path: [name], issue: "must not be there: the service fills this place itself" }))
  )
)

/** The payment that an approval is for (dynamic linking, Regulation (EU) 2018/389, article 5). */
export const Bind = Schema.Struct({
  amount: field(
    shortText(1, 40),
    "The amount with its currency, as the user reads it, such as `39.99 EUR`; 1 to 40 characters."
  ),
  payee: field(shortText(1, 100), "The name of the payee, as the user reads it, of 1 to 100 characters.")
}).annotate({ ...named("Bind"), description: "The payment that an approval is for." })
export type Bind = typeof Bind.Type

// oxlint-disable-next-line no-control-regex
const UNSENDABLE = /[\u0000-\u0009\u000b-\u001f\u007f]|\p{Surrogate}/u

const LONGEST_TEXT = 160

/** A text of the client's own, in which the code takes the place `{{code}}`. Its characters are Unicode's. */
export const OwnText = Schema.String.check(
  Schema.makeFilter(
    (text) => {
      if (Array.from(text).length > LONGEST_TEXT) return `must have at most ${LONGEST_TEXT} characters`
      if (!text.includes("{{code}}")) return "must contain {{code}}"
      return UNSENDABLE.test(text) ? "must not have control characters or unpaired surrogates" : undefined
    },
    { toJsonSchema: () => [{ maxLength: LONGEST_TEXT }, true] }
  )
)
