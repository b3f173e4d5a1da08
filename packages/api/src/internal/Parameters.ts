/**
 * Parameters of a URL in the OpenAPI document, which are texts in a request, and numbers and identifiers to a reader.
 */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"

/** The schema of an operation's query, until Document.ts has described the parameters by it. */
export const QUERY = "x-query"

/**
 * Adds to the annotations of an endpoint that its parameters have the schemas of the query's fields. What makes a JSON
 * Schema of them is left to Document.ts, which a service without the document does not load.
 */
export const describeParameters = <A>(
  query: Schema.Top,
  annotations: Context.Context<A>
): Context.Context<A | OpenApi.Transform> => {
  const transform = Context.getOrUndefined(annotations, OpenApi.Transform)
  return Context.add(annotations, OpenApi.Transform, (document: Record<string, unknown>) => {
    const described = { ...document, [QUERY]: query }
    return transform === undefined ? described : transform(described)
  })
}
