/**
 * Streams of server-sent events in the OpenAPI document, as another type of an endpoint's answer.
 */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"

/**
 * Adds to the annotations of an endpoint that its answer may be a stream.
 *
 * @param description of the events
 */
export const describeStream = <A>(
  description: string,
  annotations: Context.Context<A>
): Context.Context<A | OpenApi.Transform> => {
  const transform = Context.getOrUndefined(annotations, OpenApi.Transform)
  return Context.add(annotations, OpenApi.Transform, (document: Record<string, unknown>) => {
    const responses = Object(document["responses"])
    const success = Object(responses["200"])
    const content = { ...Object(success.content), "text/event-stream": { schema: { type: "string", description } } }
    const described = { ...document, responses: { ...responses, "200": { ...success, content } } }
    return transform === undefined ? described : transform(described)
  })
}
