/**
 * The operations of the interface, each with a valid body, from its OpenAPI document.
 */
import { Api } from "@watchword/api/Api"
import * as OpenApi from "effect/http-api/OpenApi"

export interface Operation {
  readonly method: string
  /** With ids that do not exist. */
  readonly path: string
  /** Null for operations without a body. */
  readonly example: unknown
}

const IDS: Readonly<Record<string, string>> = {
  id: "vrf_01KAJ3T8ZZ0000000000000000",
  uuid: "01KAJ3T8ZZ0000000000000000",
  messageId: "019aa43d-23ff-8000-8000-000000000000"
}

const document: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce((inner, name) => new Map(entries(inner)).get(name), value)

/** The example of a schema or of the schema it refers to, or else one with usual values for its properties. */
const exampleOf = (schema: unknown): unknown => {
  const reference = at(schema, "$ref")
  const found = typeof reference === "string" ? at(document, ...reference.split("/").slice(1)) : schema
  const [example] = entries(at(found, "examples")).map(([, each]) => each)
  return example ?? Object.fromEntries(entries(at(found, "properties")).map(([name]) => [name, OTHERS[name] ?? "x"]))
}

const OTHERS: Readonly<Record<string, unknown>> = {
  to: "+4915123456789",
  code: "123456",
  page: 1,
  rows_per_page: 20,
  sort_direction: "ASC",
  filter: { to: "+4915123456789" },
  status: "Success",
  workflow: [{ channel: "sms", timeout: 30 }],
  channel: "sms",
  metadata: { a: "b" },
  variables: { a: "b" },
  purpose: "login",
  locale: "de-AT",
  ttl: 300,
  max_sends: 3,
  client_ip: "192.0.2.7"
}

export const operations: ReadonlyArray<Operation> = entries(at(document, "paths")).flatMap(([path, methods]) =>
  entries(methods).map(([method, operation]) => {
    const schema = at(operation, "requestBody", "content", "application/json", "schema")
    return {
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? "x"),
      example: schema === undefined ? null : exampleOf(schema)
    }
  })
)
