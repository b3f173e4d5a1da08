/**
 * Values of an OpenAPI document, whose shape the reader has to find out.
 */
export type Fields = Readonly<Record<string, unknown>>

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** A schema, or the schema of the document that it refers to, with its name. */
export interface Found {
  readonly schema: Fields
  /** Empty for a schema without a name. */
  readonly name: string
}

const REFERENCE = "#/components/schemas/"

export const finder = (document: Fields) => {
  const schemas = fields(fields(document["components"])["schemas"])
  return (value: unknown): Found => {
    const schema = fields(value)
    const reference = text(schema["$ref"])
    if (!reference.startsWith(REFERENCE)) return { schema, name: "" }
    const name = reference.slice(REFERENCE.length)
    return {
      schema: { ...fields(schemas[name]), ...("description" in schema ? { description: schema["description"] } : {}) },
      name
    }
  }
}

export type Find = ReturnType<typeof finder>
