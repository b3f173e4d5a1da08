/**
 * Parameters of a URL in the OpenAPI document, which are texts in a request, and numbers and identifiers to a reader.
 */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"

export interface Parameter {
  readonly description: string
  readonly schema: object
  readonly example?: unknown
}

/** Adds descriptions of parameters, by name, to the annotations of an endpoint. */
export const describeParameters =
  (parameters: Readonly<Record<string, Parameter>>) =>
  <A>(annotations: Context.Context<A>): Context.Context<A | OpenApi.Transform> => {
    const transform = Context.getOrUndefined(annotations, OpenApi.Transform)
    return Context.add(annotations, OpenApi.Transform, (document: Record<string, unknown>) => {
      const described = { ...document, parameters: list(document["parameters"]).map(describe) }
      return transform === undefined ? described : transform(described)
    })

    function describe(parameter: unknown): unknown {
      const name = nameOf(parameter)
      const known = name === null ? undefined : parameters[name]
      return known === undefined ? parameter : { ...Object(parameter), ...known }
    }
  }

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const nameOf = (parameter: unknown): string | null => {
  const name: unknown = Reflect.get(Object(parameter), "name")
  return typeof name === "string" ? name : null
}
