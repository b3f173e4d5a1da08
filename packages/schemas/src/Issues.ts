/**
 * Issues of a value from outside, worded as the correction that is needed, and fields that a body does not have.
 *
 * Messages never contain the value: it may be a code or a text.
 */
import { BadRequest, type Issue } from "./Errors.ts"
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { unknownField } from "./internal/UnknownFields.ts"

export { areIgnored, distance, ignored, refused, unknownField } from "./internal/UnknownFields.ts"

/** So that an answer is not many times as long as the body that it is about. */
const MOST = 20

/** One issue for each field, in the order of the schema, and twenty at most. `path` is written `filter.status[0]`. */
export const fromSchemaError = (error: Schema.SchemaError): ReadonlyArray<Issue> => {
  const issues = new Map<string, Issue>()
  for (const { message, path = [] } of format(error.issue).issues) {
    const field = written(path)
    if (issues.size === MOST) break
    if (!issues.has(field)) issues.set(field, { path: field, message: worded(message, path) })
  }
  return [...issues.values()]
}

/** The 400 for a value that does not fit its schema. Its message names each field, unless another one is given. */
export const badRequest = (error: Schema.SchemaError, message?: string): BadRequest =>
  invalid(fromSchemaError(error), message)

/** The 400 for a value with these issues. */
export const invalid = (issues: ReadonlyArray<Issue>, message = sentenceOf(issues)): BadRequest =>
  new BadRequest({ message, issues })

/** Issues in a sentence, for programs whose developers see the message alone. */
export const sentenceOf = (issues: ReadonlyArray<Issue>): string =>
  `${issues.map(({ message, path }) => `${path === "" ? "the argument" : path} ${message}`).join("; ")}.`

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "is required"
      case "UnexpectedKey":
        return `${UNKNOWN}${fieldsOf(issue.ast).join(",")}`
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** Begins what stands for an unknown field until its name is known, which is in the path alone. */
const UNKNOWN = "Unknown field of "

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

// Effect's own words are "Expected string" or "Expected "a" | "b"".
const worded = (message: string, path: Path): string => {
  if (message.startsWith(UNKNOWN)) {
    return unknownField(keyOf(path.at(-1) ?? ""), message.slice(UNKNOWN.length).split(",").filter(Boolean))
  }
  if (!message.startsWith("Expected ")) return message
  const expected = message.slice("Expected ".length)
  if (expected.includes(" | ")) return `must be one of ${expected.replaceAll(" | ", ", ")}`
  return `must be ${/^[aeio]/.test(expected) ? "an" : "a"} ${expected}`
}

type Segment = PropertyKey | { readonly key: PropertyKey }

type Path = ReadonlyArray<Segment>

const keyOf = (segment: Segment): string => String(typeof segment === "object" ? segment.key : segment)

const written = (path: Path): string =>
  path
    .map((segment, index) => {
      const key = keyOf(segment)
      if (typeof segment === "number") return `[${key}]`
      // An answer repeats a name from the request, but not one of any length.
      const name = key.length > LONGEST ? `${key.slice(0, LONGEST)}…` : key
      return index === 0 ? name : `.${name}`
    })
    .join("")

const LONGEST = 64
