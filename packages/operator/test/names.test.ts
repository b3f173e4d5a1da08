/** The names of operators' fields: one spelling in JSON, which programs have too. */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { commands } from "../src/commands/index.ts"

/** The names of all properties in a JSON Schema. */
const namesIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(namesIn)
  if (typeof schema !== "object" || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "properties"
      ? [...Object.keys(Object(value)), ...Object.values(Object(value)).flatMap(namesIn)]
      : namesIn(value)
  )
}

const documentOf = (schema: Schema.Top): unknown => Schema.toJsonSchemaDocument(schema)

describe("the names of fields", () => {
  it.each(commands.map((command) => [command.name.join(" "), command] as const))(
    "of %s are in snake_case",
    (_, command) => {
      const names = [...namesIn(documentOf(command.input)), ...namesIn(documentOf(command.output))]
      expect(names.filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))).toEqual([])
    }
  )

  it("are found in objects within objects", () => {
    const nested = Schema.Struct({ rows: Schema.Array(Schema.Struct({ someName: Schema.String })) })
    expect(namesIn(documentOf(nested))).toEqual(["rows", "someName"])
  })
})
