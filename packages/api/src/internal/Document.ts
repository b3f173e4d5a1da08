/**
 * Corrections to the OpenAPI document that no annotation of a schema can make, and texts for human readers.
 */
import { type ErrorCode, entryOf, isErrorCode } from "@watchword/schemas/Errors"
import type { OwnTypes } from "@watchword/schemas/Event"
import { securitySchemes } from "../Headers.ts"
import * as Schema from "effect/Schema"
import { QUERY } from "./Parameters.ts"
import { webhooks } from "./WebhookDocument.ts"

type Json = unknown

/**
 * - Objects may hold fields that the document does not name: requests may, because the service ignores
 *   them, and answers may in a later version.
 * - Schemas have their names without the suffix that marks the wire form of a class.
 * - A choice between one schema is that schema.
 * - Whole numbers lose bounds that come only from JavaScript.
 * - Values of filters are described, so that generated clients take them.
 * - Statuses beyond 599, which OpenAPI has no room for, are the default answer.
 * - The description of a field is next to its type, and the description of a parameter next to its schema.
 */
export const describe = (document: Record<string, Json>): Record<string, Json> =>
  JSON.parse(JSON.stringify(document, corrected).replaceAll(/("#\/components\/schemas\/\w+|"\w+)Encoded"/g, '$1"'))

/**
 * The same for the interface of customers.
 *
 * - The two headers that authenticate are security schemes.
 * - Errors have examples.
 * - The requests that the service makes itself are under `webhooks`.
 *
 * @param own the types of events that channels have of their own
 */
export const describeWhole =
  (own: OwnTypes) =>
  (document: Record<string, Json>): Record<string, Json> => {
    const whole = describe({ ...document, webhooks: webhooks(own) })
    const components = recordOf(whole["components"])
    const schemas = mapValues(recordOf(components["schemas"]), withExample)
    return { ...whole, components: { ...components, schemas, securitySchemes } }
  }

const withExample = (schema: Json): Json => {
  const code = codeOf(schema)
  return code === null || !isErrorCode(code) ? schema : { examples: [errorExample(code)], ...recordOf(schema) }
}

/** An error as it travels. */
const errorExample = (code: ErrorCode): object => {
  const { example, more } = entryOf(code)
  return { error: code, message: example, ...more, request_id: "4f1b6f0e-6a0d-4f3c-9d55-0c4f8a9b7e21" }
}

/** The code of an error's schema; null for other schemas. */
const codeOf = (schema: Json): string | null => {
  const codes = recordOf(recordOf(recordOf(schema)["properties"])["error"])["enum"]
  return Array.isArray(codes) && codes.length === 1 ? String(codes[0]) : null
}

/** A replacer of `JSON.stringify`. */
const corrected = (key: string, found: Json): Json => {
  const value = hoisted(beside(withoutChoice(withQuery(found))))
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

/** An operation whose parameters have the schemas of its query, see Parameters.ts. */
const withQuery = (value: Json): Json => {
  if (!isRecord(value) || !Schema.isSchema(value[QUERY])) return value
  const { [QUERY]: query, parameters, ...operation } = value
  if (!Schema.isSchema(query)) return value
  const fields = recordOf(Schema.toJsonSchemaDocument(query).schema["properties"])
  const described = (parameter: Json): Json => {
    const schema = fields[String(recordOf(parameter)["name"])]
    return schema === undefined ? parameter : { ...recordOf(parameter), schema }
  }
  return { ...operation, parameters: Array.isArray(parameters) ? parameters.map(described) : [] }
}

/** A schema instead of the choice between one schema. */
const withoutChoice = (value: Json): Json => {
  if (!isRecord(value) || !Array.isArray(value["anyOf"]) || value["anyOf"].length !== 1) return value
  const { anyOf, ...others } = value
  return { ...others, ...recordOf(anyOf[0]) }
}

/** A schema with the description of its field, which comes as another condition, next to its type. */
const beside = (value: Json): Json => {
  if (!isRecord(value) || !Array.isArray(value["allOf"])) return value
  const { allOf, ...others } = value
  const conditions: ReadonlyArray<Json> = allOf
  const said = conditions.filter((each) => isRecord(each) && Object.keys(each).every((key) => SAID.has(key)))
  const left = conditions.filter((each) => !said.includes(each))
  const [only] = left
  // A single condition does not contradict the keywords next to it.
  const isOne = left.length === 1 && isRecord(only) && Object.keys(only).every((key) => !(key in others))
  const whole = isOne ? recordOf(only) : left.length === 0 ? {} : { allOf: left }
  return Object.assign({}, others, whole, ...said)
}

const SAID = new Set(["description", "examples", "default"])

/** A parameter with the description and the example of its schema. */
const hoisted = (value: Json): Json => {
  if (!isRecord(value) || typeof value["in"] !== "string" || !isRecord(value["schema"])) return value
  const { description, examples, ...schema } = recordOf(beside(value["schema"]))
  const [example] = Array.isArray(examples) ? examples : []
  return {
    ...(description === undefined ? {} : { description }),
    ...value,
    schema,
    ...(example === undefined ? {} : { example })
  }
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
