/**
 * Generated from the table of errors: the client's class for each code, and the page of reasons.
 */
import * as Errors from "../../packages/schemas/src/Errors.ts"
import { type ErrorCode, entryOf, errors, isErrorCode, nameOf } from "../../packages/schemas/src/Errors.ts"
import { commentOf } from "./types.ts"

const codes: ReadonlyArray<ErrorCode> = Object.keys(errors).filter(isErrorCode)

/** The client's classes, unformatted. */
export const errorClasses = (): string => `/**
 * The errors that the service answers with, a class for each code. Written by scripts/contract.ts.
 */
import { coded } from "./WatchwordError.ts"

${codes.map(classOf).join("\n")}
/** All of them. */
export const classes = [${codes.map(nameOf).join(", ")}] as const
`

const classOf = (code: ErrorCode): string => {
  const { description, reasons = {}, status } = entryOf(code)
  const known = Object.entries(reasons).map(([reason, sentence]) => `- \`${reason}\`: ${sentence}`)
  const list = known.length === 0 ? "" : `\n\nIts \`reason\` is one of these:\n\n${known.join("\n")}`
  return `${commentOf(`${status}: ${description}${list}`)}export class ${nameOf(code)} extends coded("${code}", ${status}) {}\n`
}

/** The wire schemas of the errors, unformatted. */
export const travellingErrors = (): string => `/**
 * The errors of the interface as they travel: \`{"error": CODE, "message": …, "request_id": …}\`, each with
 * its status. A client gets them as the classes of \`@watchword/schemas/Errors\`. Written by scripts/contract.ts.
 */
import * as Errors from "@watchword/schemas/Errors"
import * as Schema from "effect/Schema"

const code = { _tag: "error" } as const

/** The annotations of a code: its name in the document, such as \`BadRequest\`, and its description. */
const travelling = (code: Errors.ErrorCode) => ({
  identifier: Errors.nameOf(code),
  description: Errors.errors[code].description
})

${codes.map(travellingOf).join("\n")}
/** Errors of a send on any channel, in addition to the errors of every endpoint. */
export const sendErrors = [BadRequest, PaymentRequired, NotFound, Conflict, TooManyRequests, TemporaryUnavailable] as const
`

const travellingOf = (code: ErrorCode): string => {
  const name = nameOf(code)
  const Class: unknown = Reflect.get(Errors, name)
  if (!isClass(Class)) throw new Error(`packages/schemas/src/Errors.ts has no class ${name} for ${code}`)
  const renamed = Object.keys(Class.fields)
    .filter((field) => /[A-Z]/.test(field))
    .map((field) => `, ${field}: "${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`)
  const keys = renamed.length === 0 ? "code" : `{ ...code${renamed.join("")} }`
  return `export const ${name} = Errors.${name}.pipe(Schema.encodeKeys(${keys})).annotate(travelling("${code}"))\n`
}

const isClass = (value: unknown): value is { readonly fields: object } =>
  typeof value === "function" && "fields" in value && typeof value.fields === "object" && value.fields !== null

/** The names of the classes. */
export const errorNames: ReadonlyArray<string> = codes.map(nameOf)

/** The page of reasons. */
export const reasonsPage = (): string => `# Errors and their reasons

Written by \`npm run contract\` from the table of errors in \`packages/schemas/src/Errors.ts\`. How an error travels:
[The HTTP interface](http.md).

| \`error\` | status | |
|---|---|---|
${codes.map((code) => `| \`${code}\` | ${entryOf(code).status} | ${entryOf(code).description} |`).join("\n")}
${codes.map(reasonsOf).join("")}`

const reasonsOf = (code: ErrorCode): string => {
  const { reasons, status } = entryOf(code)
  if (reasons === undefined) return ""
  const rows = Object.entries(reasons).map(([reason, sentence]) => `| \`${reason}\` | ${sentence} |`)
  return `\n## ${status} ${code}\n\n| \`reason\` | |\n|---|---|\n${rows.join("\n")}\n`
}
