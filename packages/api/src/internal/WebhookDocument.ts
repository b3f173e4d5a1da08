/**
 * The section `webhooks` of the OpenAPI document: the requests that the service makes, with the bodies of events.
 *
 * Source: OpenAPI 3.1 §4.8.1 (webhooks); the Standard Webhooks specification (headers).
 */
import { type OwnTypes, eventBodies, eventTexts, ownBody } from "@watchword/schemas/Event"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const headers = [
  header("webhook-id", "The event's id, the same for each attempt."),
  header("webhook-timestamp", "The time of the attempt, in Unix seconds."),
  header("webhook-signature", "One or two signatures of id, timestamp and body, each `v1,` and base 64.")
]

const responses = {
  "2XX": { description: "The event is taken." },
  "410": { description: "No more events are sent to the webhook." },
  default: { description: "The event is sent again later." }
}

const requestOf = (name: string, summary: string, body: Schema.Top) => ({
  post: {
    operationId: `webhook.${name}`,
    summary,
    description: "Sent at least once and in no certain order, signed by the Standard Webhooks specification.",
    tags: ["Webhooks"],
    // By its signature, and not by a key.
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { "application/json": { schema: inlined(body) } } },
    responses
  }
})

/** The schema of a body with its references inlined. */
const inlined = (body: Schema.Top): unknown => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(body)
  const resolved = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolved)
    if (typeof part !== "object" || part === null) return part
    const name = "$ref" in part ? String(part.$ref).split("/").at(-1) : undefined
    if (name !== undefined) return resolved(definitions[name])
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]))
  }
  return resolved(schema)
}

/** One webhook for each body, and for each type of a channel's own. */
export const webhooks = (own: OwnTypes): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ...Object.entries(eventBodies).map(([name, body]) => [name, requestOf(name, textOf(name), body)]),
    ...Object.entries(own).map(([type, { ast, fields }]) => [
      type,
      requestOf(type, SchemaAST.resolveDescription(ast) ?? type, ownBody(type, fields))
    ])
  ])

const textOf = (name: string): string => (isBody(name) ? eventTexts[name] : name)

const isBody = (name: string): name is keyof typeof eventBodies => Object.hasOwn(eventBodies, name)
