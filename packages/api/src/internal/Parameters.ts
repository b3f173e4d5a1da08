/**
 * Parameters of a URL in the OpenAPI document, which are texts in a request, and numbers and identifiers to a reader.
 */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"

/** Adds to the annotations of an endpoint that its parameters have the schemas of the query's fields. */
export const describeParameters = <A>(
  query: Schema.Top,
  annotations: Context.Context<A>
): Context.Context<A | OpenApi.Transform> => {
  const transform = Context.getOrUndefined(annotations, OpenApi.Transform)
  const fields = Object(Schema.toJsonSchemaDocument(query).schema["properties"])
  const describe = (parameter: unknown): unknown => {
    const schema = fields[String(Reflect.get(Object(parameter), "name"))]
    return schema === undefined ? parameter : { ...Object(parameter), schema }
  }
  return Context.add(annotations, OpenApi.Transform, (document: Record<string, unknown>) => {
    const parameters = document["parameters"]
    const described = { ...document, parameters: Array.isArray(parameters) ? parameters.map(describe) : [] }
    return transform === undefined ? described : transform(described)
  })
}
