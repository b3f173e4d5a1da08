/**
 * Fields that an object does not have: where they are passed over, and the words for them where they are refused.
 *
 * A name that nothing reads changes nothing, and its sender believes that it did. The bodies of the interface pass over
 * such names all the same when they come over HTTP, because clients of other services of this interface may send more.
 */
import * as Schema from "effect/Schema"

const IGNORED = "@watchword/schemas/UnknownFields/ignored"

/** The annotation of a body that passes over unknown fields over HTTP. All others refuse them. */
export const ignored = { [IGNORED]: true } as const

/** The same body for an endpoint that refuses them. */
export const refused = { [IGNORED]: false } as const

/** Whether a body passes over unknown fields over HTTP. */
export const areIgnored = (body: Schema.Constraint): boolean => Schema.resolveAnnotations(body)?.[IGNORED] === true

/**
 * Describes an unknown field: names the field that was probably meant, or all fields that exist.
 *
 * @example
 * ```ts
 * import { unknownField } from "@watchword/schemas/Errors"
 *
 * console.log(unknownField("Body", ["to", "text", "from"])) // is not a field; use text
 * ```
 */
export const unknownField = (name: string, fields: ReadonlyArray<string>): string => {
  const meant = fields.find((field) => isSame(name, field)) ?? synonymOf(name, fields) ?? nearest(name, fields)
  if (meant !== undefined) return `is not a field; use ${meant}`
  return fields.length === 0
    ? "is not a field; this body has no fields"
    : `is not a field; use one of ${fields.join(", ")}`
}

/** A name without capitals and underscores: `VerificationId` and `verification_id` are one. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase()

const isSame = (name: string, field: string): boolean => plain(name) === plain(field)

/**
 * What other services call these fields, from the first that fits to the last.
 *
 * Source: Twilio Verify v2 and Programmable Messaging, Vonage Verify v1 and v2, MessageBird Verify, Sinch Verification.
 */
const synonyms: ReadonlyArray<readonly [field: string, names: ReadonlyArray<string>]> = [
  ["to", ["phone", "phonenumber", "number", "recipient", "destination", "msisdn", "mobile", "callee"]],
  ["callee", ["to", "phone", "phonenumber", "number", "recipient", "destination", "msisdn"]],
  ["caller", ["from", "callerid", "cli"]],
  ["text", ["body", "message", "content", "msg"]],
  ["from", ["sender", "senderid", "originator"]],
  ["smsSender", ["sender", "senderid", "from"]],
  ["code", ["customcode", "token", "pin", "otp", "passcode"]],
  ["workflow", ["channel", "channels", "type", "via", "method", "workflowid", "steps"]],
  ["code_length", ["tokenlength", "pinlength", "length"]],
  ["ttl", ["timeout", "channeltimeout", "pinexpiry", "expiry", "validity", "validityperiod"]],
  ["max_checks", ["attempts", "maxtries"]],
  ["locale", ["language", "lang", "lg"]],
  ["verification_id", ["verificationsid", "requestid", "id", "sid"]],
  ["request_id", ["id", "requestid"]],
  ["id", ["messageid", "uuid", "sid"]],
  ["uuid", ["id", "messageid", "sid"]],
  ["template", ["templatesid", "templateid"]],
  ["variables", ["templatecustomsubstitutions"]],
  ["web_origin", ["origin", "domain"]],
  ["client_ip", ["ip", "deviceip", "useripaddress"]],
  ["client_ref", ["clientreference", "reference", "user", "userid"]],
  ["requestId", ["correlationid"]]
]

const synonymOf = (name: string, fields: ReadonlyArray<string>): string | undefined =>
  synonyms.find(([field, names]) => fields.includes(field) && names.includes(plain(name)))?.[0]

const nearest = (name: string, fields: ReadonlyArray<string>): string | undefined => {
  // A name of any length would be compared letter by letter.
  if (name.length > LONGEST) return undefined
  const slips = name.length < 6 ? 1 : 2
  const near = fields.map((field) => ({ field, letters: slipsOf(plain(name), plain(field)) }))
  return near.filter(({ letters }) => letters <= slips).sort((a, b) => a.letters - b.letters)[0]?.field
}

const LONGEST = 64

/** Letters of another order, as in `txet`, are one slip. */
const slipsOf = (name: string, field: string): number => (sorted(name) === sorted(field) ? 1 : distance(name, field))

const sorted = (text: string): string => [...text].sort().join("")

/** How many letters must be put in, left out or replaced to make one word of the other. Source: Levenshtein, 1966. */
export const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const letter of from) {
    const next = [(row[0] ?? 0) + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
