/**
 * The tables of endpoints and of body fields, in Markdown, from the contract's OpenAPI document.
 */
import { Api } from "../../packages/api/src/Api.ts"
import { ClientFacts } from "../../packages/schemas/src/SharedFields.ts"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"

/** A part of the document. */
interface Json {
  readonly [key: string]: unknown
}

/** Every endpoint with its summary and scope. */
export const endpointsTable = (): string => {
  const rows = Object.entries(recordOf(document()["paths"])).flatMap(([path, methods]) =>
    Object.entries(recordOf(methods)).map(([method, operation]) => {
      const { description, summary } = recordOf(operation)
      const [, scope = ""] = /scope (`\w+:\w+`)/.exec(String(description)) ?? []
      return `| \`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}\` | ${summary} | ${scope} |`
    })
  )
  return ["| endpoint | | scope |", "|---|---|---|", ...rows].join("\n")
}

/** The facts about a user, which the bodies of all sends and starts share. */
export const factsTable = (): string => tableOf(facts())

/** The fields of a request body without those facts; required fields are bold. */
export const fieldsTable = (body: string): string => {
  const { fields, required } = schemaOf(body)
  const common = new Set(facts().map(([name]) => name))
  return tableOf(
    fields.filter(([name]) => !common.has(name)),
    required
  )
}

/** The fields of a record. */
export const recordTable = (name: string): string => tableOf(schemaOf(name).fields)

type Fields = ReadonlyArray<readonly [name: string, json: unknown]>

const facts = (): Fields =>
  Object.entries(recordOf(recordOf(Schema.toJsonSchemaDocument(ClientFacts).schema)["properties"]))

const schemaOf = (name: string): { readonly fields: Fields; readonly required: ReadonlyArray<string> } => {
  const { properties, required } = recordOf(recordOf(recordOf(document()["components"])["schemas"])[name])
  const fields = Object.entries(recordOf(properties))
  if (fields.length === 0) throw new Error(`the contract has no body ${name} with fields`)
  return { fields, required: Array.isArray(required) ? required : [] }
}

const tableOf = (fields: Fields, required: ReadonlyArray<string> = []): string => {
  const rows = fields.map(([name, json]) => {
    const shown = required.includes(name) ? `**\`${name}\`**` : `\`${name}\``
    return `| ${shown} | ${descriptionOf(recordOf(json))} |`
  })
  return ["| field | |", "|---|---|", ...rows].join("\n")
}

/** A field's description is in its schema, or in a condition next to the type. */
const descriptionOf = (json: Json): string => {
  const conditions: ReadonlyArray<Json> = Array.isArray(json["allOf"]) ? json["allOf"] : []
  const found = [json, ...conditions].find(({ description }) => typeof description === "string")
  return String(found?.["description"] ?? "")
}

const document = (): Json => recordOf(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))

const recordOf = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {})
