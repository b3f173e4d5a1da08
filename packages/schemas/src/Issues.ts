/**
 * Issues of a value from outside, worded as the correction that is needed.
 *
 * Messages never contain the value: it may be a code or a text.
 */
import { BadRequest, type Issue } from "./Errors.ts"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** One issue for each field, in the order of the schema. `path` is written `filter.status[0]`. */
export const fromSchemaError = (error: Schema.SchemaError): ReadonlyArray<Issue> => {
  const seen = new Set<string>()
  return format(error.issue).issues.flatMap(({ path = [], message }) => {
    const field = written(path)
    if (seen.has(field)) return []
    seen.add(field)
    return [{ path: field, message: rephrased(message) }]
  })
}

/** The 400 for a value, by default a body, that does not fit its schema. */
export const badRequest = (error: Schema.SchemaError, message = "The request body is not valid."): BadRequest =>
  new BadRequest({ message, issues: fromSchemaError(error) })

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "is required" : SchemaIssue.defaultLeafHook(issue))
})

// Effect's own words are "Expected string" or "Expected "a" | "b"".
const rephrased = (message: string): string => {
  if (!message.startsWith("Expected ")) return message
  const expected = message.slice("Expected ".length)
  if (expected.includes(" | ")) return `must be one of ${expected.replaceAll(" | ", ", ")}`
  return `must be ${/^[aeio]/.test(expected) ? "an" : "a"} ${expected}`
}

const written = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path
    .map((segment) => (typeof segment === "object" ? segment.key : segment))
    .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
    .join("")
