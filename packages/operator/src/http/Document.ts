/**
 * The OpenAPI document of the operators' API, from the schemas of commands. Its addresses are relative to its own, so that they
 * are right under any prefix.
 *
 * Source: OpenAPI 3.1.1 §4.5 (relative addresses of servers).
 */
import type { AnyCommand } from "../command/Command.ts"
import * as Schema from "effect/Schema"

type Json = unknown

type Documented = Pick<AnyCommand<never>, "description" | "input" | "localFields" | "name" | "output" | "role">

export const documentOf = (commands: ReadonlyArray<Documented>): object => {
  const components: Record<string, Json> = { Failure: failure }
  const schemaOf = (schema: Schema.Constraint): Json => {
    const { definitions, schema: own } = Schema.toJsonSchemaDocument(schema)
    for (const [name, each] of Object.entries(definitions)) components[name] = referred(each)
    return referred(own)
  }
  const paths = commands.map((command) => [`/${command.name.join("/")}`, { post: operationOf(command, schemaOf) }])
  return {
    openapi: "3.1.1",
    info: {
      title: "Watchword: operators",
      version: "1",
      description:
        "What operators can do. Each command of the command line is a path; `x-role` is the role that it needs.",
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: "." }],
    security: [{ token: [] }],
    tags: [...new Set(commands.map(tagOf))].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A token of `watchword operator grant`." }
      },
      schemas: components
    }
  }
}

const tagOf = ({ name }: Pick<Documented, "name">): string => name[0] ?? ""

const operationOf = (
  { description, input, localFields, name, output, role }: Documented,
  schemaOf: (schema: Schema.Constraint) => Json
) => ({
  operationId: name.join("_").replaceAll("-", "_"),
  summary: description,
  tags: [tagOf({ name })],
  "x-role": role,
  requestBody: { required: true, content: { "application/json": { schema: without(schemaOf(input), localFields) } } },
  responses: {
    200: {
      description: "What the command answers.",
      headers: {
        "watchword-done": { description: "`false` where the command did not do all.", schema: { type: "string" } }
      },
      content: {
        "application/json": { schema: schemaOf(output) },
        "text/plain": { schema: { type: "string", description: "The same for people, a line each." } }
      }
    },
    default: {
      description: "Why nothing was done.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } }
    }
  }
})

/** A schema whose references are to the components of the document. */
const referred = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))

/** A schema of an object without some optional fields. */
const without = (schema: Json, names: ReadonlyArray<string>): Json => {
  if (names.length === 0 || typeof schema !== "object" || schema === null || !("properties" in schema)) return schema
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(properties) }
}

const text = { type: "string" }

const failure = {
  type: "object",
  required: ["error", "message", "request_id"],
  properties: {
    error: { ...text, description: "The stable code of the error." },
    message: { ...text, description: "A sentence for people." },
    request_id: text,
    reason: { ...text, description: "Why, as a word for programs." },
    retry_after: { type: "integer", description: "Seconds after which the same request may succeed." },
    issues: {
      type: "array",
      items: { type: "object", required: ["path", "message"], properties: { path: text, message: text } }
    }
  }
}
