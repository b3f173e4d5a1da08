/**
 * The operators' interface as one value, built from the commands: each is an endpoint, from which its route and its
 * part of the OpenAPI document are derived. Addresses of the document are relative to its own, so that they are right
 * under any prefix.
 *
 * Source: OpenAPI 3.1.1 §4.5 (relative addresses of servers).
 */
import { describe } from "@watchword/api/Api"
import type { AnyCommand } from "../command/Command.ts"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"

type Documented = Pick<AnyCommand<never>, "description" | "input" | "localFields" | "name" | "output" | "role">

/** The endpoint of a command. */
export const endpointOf = (command: Documented) =>
  HttpApiEndpoint.post(command.name.join("_").replaceAll("-", "_"), `/${command.name.join("/")}`, {
    payload: command.input,
    success: command.output
  }).annotate(OpenApi.Transform, described(command))

export const documentOf = (commands: ReadonlyArray<Documented>): object => {
  const [first, ...others] = commands.map(endpointOf)
  const group = HttpApiGroup.make("operators", { topLevel: true })
  const api = HttpApi.make("operators").annotateMerge(
    OpenApi.annotations({
      title: "Watchword: operators",
      version: "1",
      description:
        "What operators can do. Each command of the command line is a path; `x-role` is the role that it needs.",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: "." }],
      override: {
        openapi: "3.1.1",
        security: [{ token: [] }],
        tags: [...new Set(commands.map(tagOf))].map((name) => ({ name }))
      },
      transform: ({ components, ...document }) => {
        const schemas = { Failure: failure, ...Object(components).schemas }
        return describe({ ...document, components: { schemas, securitySchemes: { token } } })
      }
    })
  )
  return OpenApi.fromApi(api.add(first === undefined ? group : group.add(first, ...others)))
}

const tagOf = ({ name }: Pick<Documented, "name">): string => name[0] ?? ""

const token = { type: "http", scheme: "bearer", description: "A token of `watchword operator grant`." }

/** The parts of a command's operation that its schemas do not describe. */
const described =
  (command: Documented) =>
  ({ operationId, requestBody, responses }: Record<string, unknown>): Record<string, unknown> => ({
    operationId,
    summary: command.description,
    tags: [tagOf(command)],
    "x-role": command.role,
    requestBody: remote(requestBody, command),
    responses: {
      200: {
        description: "The command's output.",
        headers: {
          "watchword-done": {
            description: "`false` if the command did only part of its work.",
            schema: { type: "string" }
          }
        },
        content: {
          ...Object(responses)[200].content,
          "text/plain": { schema: { type: "string", description: "The same output for people, as lines." } }
        }
      },
      default: {
        description: "Why the command did nothing.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } }
      }
    }
  })

/** A body without the fields of the command line, which are optional. */
const remote = (requestBody: unknown, { localFields }: Documented): unknown => {
  if (localFields.length === 0) return requestBody
  const { schema } = Object(requestBody).content["application/json"]
  const properties = Object.entries(schema.properties).filter(([name]) => !localFields.includes(name))
  const content = { "application/json": { schema: { ...schema, properties: Object.fromEntries(properties) } } }
  return { ...Object(requestBody), content }
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
