/**
 * The table of all limits, in Markdown: bounds of request fields from the contract's OpenAPI document, the default
 * rules for verifications, constants shared by services, and bounds of settings.
 */
import { Api } from "../../packages/api/src/Api.ts"
import { DefaultRules } from "../../packages/guards/src/Rules.ts"
import { MOST_PHONES } from "../../packages/schemas/src/SandboxPhone.ts"
import { MAX_BODY_BYTES } from "../../packages/server/src/Host.ts"
import { bounds } from "./bounds.ts"
import * as OpenApi from "effect/http-api/OpenApi"

interface Json {
  readonly [key: string]: unknown
}

export const limitsTable = (): string =>
  [
    "| limit | of | value |",
    "|---|---|---|",
    ...[...constants(), ...rules(), ...fields(), ...bounds()].map(rowOf)
  ].join("\n")

/** Units of numeric fields. */
const UNITS: Readonly<Record<string, string>> = {
  code_length: " digits",
  max_ring_time: " seconds",
  ttl: " seconds"
}

type Row = readonly [limit: string, of: string, value: string]

const rowOf = (row: Row): string => `| ${row.join(" | ")} |`

const constants = (): ReadonlyArray<Row> => [
  ["body of a request", "every endpoint", `${MAX_BODY_BYTES} bytes`],
  ["phones", "an account in the sandbox", `${MOST_PHONES}`]
]

/** The rules that apply to live verifications until an operator sets others. */
const rules = (): ReadonlyArray<Row> =>
  (DefaultRules.limits ?? []).map(({ by, name, rates }) => [
    `starts per ${by.map((field) => `\`${field}\``).join(", ")}`,
    `live verifications, rule \`${name}\``,
    (rates ?? []).map((rate) => rate.replace("/", " in ")).join(", ")
  ])

/** Fields with the same name and the same bound share a row. */
const fields = (): ReadonlyArray<Row> => {
  const rows = new Map<string, { readonly name: string; readonly bounds: string; readonly bodies: Array<string> }>()
  for (const body of bodies()) {
    for (const [name, json] of Object.entries(recordOf(recordOf(schemas()[body])["properties"]))) {
      const bounds = boundsOf(recordOf(json), UNITS[name] ?? "")
      if (bounds === "") continue
      const row = rows.get(`${name} ${bounds}`) ?? { name, bounds, bodies: [] }
      row.bodies.push(body)
      rows.set(`${name} ${bounds}`, row)
    }
  }
  return [...rows.values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ bodies, bounds, name }) => [`\`${name}\``, bodies.map((body) => `\`${body}\``).join(", "), bounds])
}

/** The names of request schemas. */
const bodies = (): ReadonlyArray<string> => {
  const paths = recordOf(document["paths"])
  const found = Object.values(paths).flatMap((methods) =>
    Object.values(recordOf(methods)).flatMap((operation) => {
      const text = JSON.stringify(recordOf(operation)["requestBody"] ?? {})
      return [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name)
    })
  )
  return [...new Set(found)].sort()
}

/** A field's bound is in its schema, or in a condition or an alternative of its type. */
const boundsOf = (json: Json, unit: string): string => {
  const parts = [json, ...["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(json[key]))]
  const bound = (key: string): unknown => parts.map((part) => part[key]).find((value) => typeof value === "number")
  const between = (least: string, most: string, unit: string): string => {
    const [from, to] = [bound(least), bound(most)]
    if (to === undefined) return ""
    return `${from === undefined || from === to ? "" : `${String(from)} to `}${String(to)}${unit}`
  }
  return [
    between("minimum", "maximum", unit),
    between("minLength", "maxLength", " characters"),
    between("minItems", "maxItems", " entries")
  ]
    .filter((text) => text !== "")
    .join(", ")
}

const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.map(recordOf) : [])

const recordOf = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {})

const document: Json = recordOf(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))

const schemas = (): Json => recordOf(recordOf(document["components"])["schemas"])
