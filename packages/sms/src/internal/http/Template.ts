/**
 * Values with placeholders for the fields of a message: `{ "to": "{{to}}", "message": { "text": "{{text}}" } }`.
 *
 * A text that is one placeholder and nothing else becomes the field's value: a number stays a number, and a property
 * whose field the message does not have is left out.
 */
import * as Predicate from "effect/Predicate"
import type { Outgoing } from "./Provider.ts"

/** The fields of a message under the names of their placeholders. */
export type Values = Readonly<Record<string, string | number | null>>

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g
const ONE = /^\{\{\s*([\w.]+)\s*\}\}$/

/** Names of placeholders that always have a meaning; `tlv.1400` to `tlv.3fff` are parameters of the send. */
export const names = [
  "to",
  "to_digits",
  "from",
  "text",
  "reference",
  "delivery",
  "validity",
  "parts",
  "encoding",
  "callback_url"
] as const

const TLV = /^tlv\.(1[4-9a-f]|[23][\da-f])[\da-f]{2}$/

export const isKnown = (name: string): boolean => names.some((known) => known === name) || TLV.test(name)

export const valuesOf = (message: Outgoing, callbackUrl: string | null): Values => ({
  to: message.to,
  to_digits: message.to.slice(1),
  from: message.from,
  text: message.text.source,
  reference: message.reference,
  delivery: message.delivery,
  validity: message.validity,
  parts: message.text.parts.length,
  encoding: message.text.encoding,
  callback_url: callbackUrl,
  ...Object.fromEntries(message.tlvs.map(({ tag, value }) => [`tlv.${tag.toString(16)}`, value]))
})

/** The placeholders of a template. */
export const placeholdersOf = (template: unknown): ReadonlyArray<string> => {
  if (typeof template === "string") return Array.from(template.matchAll(PLACEHOLDER), ([, name = ""]) => name)
  return Predicate.isObjectOrArray(template) ? Object.values(template).flatMap(placeholdersOf) : []
}

/** The tags of the optional parameters that a template has. */
export const tagsOf = (template: unknown): ReadonlyArray<number> =>
  placeholdersOf(template).flatMap((name) => (TLV.test(name) ? [Number.parseInt(name.slice("tlv.".length), 16)] : []))

/** A template with the values of a message; undefined for a field that it does not have. */
const fill = (template: unknown, values: Values): unknown => {
  if (typeof template === "string") {
    const one = ONE.exec(template)?.[1]
    return one === undefined ? fillText(template, values) : (values[one] ?? undefined)
  }
  if (Array.isArray(template)) return template.map((each) => fill(each, values)).filter((each) => each !== undefined)
  return Predicate.isObject(template) ? fillRecord(template, values) : template
}

export const fillRecord = (template: object, values: Values): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(template)
      .map(([name, each]) => [name, fill(each, values)] as const)
      .filter(([, value]) => value !== undefined)
  )

export const fillText = (template: string, values: Values): string =>
  template.replace(PLACEHOLDER, (_placeholder, name: string) => String(values[name] ?? ""))
