/**
 * The fields of a schema as a list: names, types, bounds and descriptions, with the fields inside of a field below it.
 */
import { escaped } from "../dress.ts"
import { type Fields, type Find, fields, list, text } from "./Json.ts"
import { inline } from "./markdown.ts"

/** How deep fields are shown inside of each other. */
const DEEPEST = 4

export const fieldList = (find: Find, value: unknown, depth = 0): string => {
  const { schema } = find(value)
  const inside = list(schema["anyOf"])
    .map((each) => find(each).schema)
    .filter((each) => Object.keys(fields(each["properties"])).length > 0)
  if (inside.length > 0) return inside.map((each) => fieldList(find, each, depth)).join("\n")
  const required = new Set(list(schema["required"]).map(text))
  const items = Object.entries(fields(schema["properties"])).map(([name, field]) =>
    item(find, { name, value: field, required: required.has(name) }, depth)
  )
  return items.length === 0 ? "" : `<ul class="fields">${items.join("\n")}</ul>`
}

export const item = (
  find: Find,
  { name, required, value }: { readonly name: string; readonly value: unknown; readonly required: boolean },
  depth = 0
): string => {
  const { schema } = find(value)
  const bounds = boundsOf(schema)
  const nested = depth < DEEPEST ? fieldList(find, elementOf(find, schema), depth + 1) : ""
  return `<li><code class="name">${escaped(name)}</code> <span class="type">${escaped(typeOf(find, value))}</span>${
    required ? ' <span class="required">required</span>' : ""
  }${bounds === "" ? "" : ` <span class="type">${escaped(bounds)}</span>`}${says(text(schema["description"]))}${
    nested === "" ? "" : `<details><summary>Fields of <code>${escaped(name)}</code></summary>${nested}</details>`
  }</li>`
}

const says = (description: string): string => (description === "" ? "" : `<div>${inline(description)}</div>`)

/** The element of a list, also of a list among several types. */
const elementOf = (find: Find, schema: Fields): unknown => {
  if (schema["type"] === "array") return elementOf(find, find(schema["items"]).schema)
  const arrays = list(schema["anyOf"]).map((each) => find(each).schema)
  const array = arrays.find(({ type }) => type === "array")
  return array === undefined ? schema : elementOf(find, array)
}

export const typeOf = (find: Find, value: unknown): string => {
  const { schema } = find(value)
  const choices = list(schema["anyOf"] ?? schema["oneOf"])
  if (choices.length > 0) return [...new Set(choices.map((each) => typeOf(find, each)))].join(" or ")
  const values = list(schema["enum"])
  if (values.length > 0) return values.map((each) => JSON.stringify(each)).join(" | ")
  const type = text(schema["type"])
  if (type === "array") return `list of ${typeOf(find, schema["items"])}`
  const format = text(schema["format"])
  return format === "" ? type || "any" : `${type}, ${format}`
}

const boundsOf = (schema: Fields): string =>
  [
    range(schema["minimum"], schema["maximum"], ""),
    range(schema["minLength"], schema["maxLength"], " characters"),
    range(schema["minItems"], schema["maxItems"], " items"),
    range(undefined, schema["maxProperties"], " entries"),
    "default" in schema ? `default ${JSON.stringify(schema["default"])}` : ""
  ]
    .filter(Boolean)
    .join(", ")

const range = (least: unknown, most: unknown, unit: string): string => {
  if (typeof least === "number" && typeof most === "number") return `${least}–${most}${unit}`
  if (typeof least === "number") return `${least} or more${unit}`
  return typeof most === "number" ? `at most ${most}${unit}` : ""
}
