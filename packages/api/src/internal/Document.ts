/**
 * Corrections to the OpenAPI document that no annotation of a schema can make, and what it says for readers alone.
 */
import { securitySchemes } from "../Headers.ts"
import { errorExample, examples } from "./Examples.ts"
import { described, describedParameter } from "./Fields.ts"
import { webhooks } from "./WebhookDocument.ts"

type Json = unknown

/**
 * - The two headers that authenticate are security schemes.
 * - Objects may hold fields that the document does not name: requests may, because the service ignores
 *   them, and answers may in a later version.
 * - Schemas have their names without the suffix that marks the wire form of a class.
 * - A choice between one schema is that schema.
 * - Whole numbers have no bounds that are those of JavaScript alone.
 * - Values of filters are described, so that generated clients take them.
 * - Statuses beyond 599, which OpenAPI has no room for, are the default answer.
 * - Fields and parameters have descriptions, and bodies examples.
 * - The requests that the service makes itself are under `webhooks`.
 */
export const describeWhole = (document: Record<string, Json>): Record<string, Json> => {
  const renamed: Json = JSON.parse(
    JSON.stringify({ ...document, webhooks: webhooks() }, corrected).replaceAll(
      /("#\/components\/schemas\/\w+|"\w+)Encoded"/g,
      '$1"'
    )
  )
  const whole = recordOf(explained(renamed, false))
  const components = recordOf(whole["components"])
  const schemas = mapValues(recordOf(components["schemas"]), withExample)
  return { ...whole, components: { ...components, schemas, securitySchemes } }
}

/** A part of the document with each field and each parameter described. */
const explained = (part: Json, isError: boolean): Json => {
  if (Array.isArray(part)) return part.map((each) => explained(each, isError))
  if (!isRecord(part)) return part
  if (typeof part["in"] === "string" && typeof part["name"] === "string") {
    return { description: describedParameter(part["name"]), ...part }
  }
  const fields = recordOf(part["properties"])
  const inError = isError || codeOf(part) !== null
  return mapValues(part, (value, key) =>
    key === "properties"
      ? mapValues(fields, (field, name) => described(name, recordOf(explained(field, inError)), inError))
      : key === "examples"
        ? value
        : explained(value, inError)
  )
}

const withExample = (schema: Json, name: string): Json => {
  const code = codeOf(schema)
  const example = code === null ? examples[name] : errorExample(code)
  return example === undefined ? schema : { examples: [example], ...recordOf(schema) }
}

/** The code of an error's schema; null for other schemas. */
const codeOf = (schema: Json): string | null => {
  const codes = recordOf(recordOf(recordOf(schema)["properties"])["error"])["enum"]
  return Array.isArray(codes) && codes.length === 1 ? String(codes[0]) : null
}

/** A replacer of `JSON.stringify`. */
const corrected = (key: string, found: Json): Json => {
  const value = withoutChoice(found)
  switch (key) {
    case "additionalProperties":
      return value === false ? undefined : value
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER ? undefined : value
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER ? undefined : value
    case "filter":
      return { ...recordOf(value), additionalProperties: condition }
    case "responses":
      return withDefault(recordOf(value))
    default:
      return value
  }
}

/** A schema in place of the choice between one schema. */
const withoutChoice = (value: Json): Json => {
  if (!isRecord(value) || !Array.isArray(value["anyOf"]) || value["anyOf"].length !== 1) return value
  const { anyOf, ...others } = value
  return { ...others, ...recordOf(anyOf[0]) }
}

const scalar = { type: ["string", "number", "boolean", "null"] }
const bound = { type: ["string", "number"] }

/** The value of a field in a filter. */
const condition = {
  anyOf: [
    scalar,
    { type: "array", items: scalar, minItems: 1, maxItems: 100 },
    { type: "object", minProperties: 1, properties: { gte: bound, gt: bound, lte: bound, lt: bound } }
  ]
}

const withDefault = (responses: Record<string, Json>): Record<string, Json> => {
  const { "603": decline, ...others } = responses
  if (decline === undefined) return responses
  const { description, ...answer } = recordOf(decline)
  return { ...others, default: { description: `Status 603. ${String(description)}`, ...answer } }
}

const mapValues = (record: Record<string, Json>, change: (value: Json, key: string) => Json): Record<string, Json> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

const recordOf = (value: Json): Record<string, Json> => (isRecord(value) ? value : {})

const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
