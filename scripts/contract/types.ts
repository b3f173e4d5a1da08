/**
 * TypeScript types for schemas, as their values are on the wire, with each field's description as its comment.
 */
import * as Schema from "effect/Schema"
import { NAMES, TIMES } from "../../packages/client/src/internal/Spelling.ts"
import { OPEN, TYPE_NAME } from "../../packages/schemas/src/Field.ts"

/** A part of a JSON Schema. */
interface Json {
  readonly [key: string]: unknown
}

export interface Types {
  /** The declarations so far, by name. */
  readonly declarations: ReadonlyMap<string, string>
  /** The type of a schema; a schema with a name gets a declaration. */
  readonly typeOf: (schema: Schema.Constraint) => string
  /** The type of the records on a page. */
  readonly itemOf: (schema: Schema.Constraint) => string
  /** Whether a schema is an object whose fields are all optional. */
  readonly isOptional: (schema: Schema.Constraint) => boolean
}

/** @param shared a schema whose fields other bodies also have: they extend it */
export const make = (shared: Schema.Constraint): Types => {
  const declarations = new Map<string, string>()
  let definitions: Json = {}

  const documentOf = (schema: Schema.Constraint): Json => {
    const document = Schema.toJsonSchemaDocument(schema, {
      includeAnnotationKey: (key) => key === TYPE_NAME || key === OPEN
    })
    definitions = { ...definitions, ...document.definitions }
    return document.schema
  }

  const typeOf = (json: Json): string => {
    const name = nameOf(json)
    if (name === null) return inline(json)
    if (!declarations.has(name)) {
      // Marked first, because the declaration may refer to itself.
      declarations.set(name, "")
      declarations.set(name, declarationOf(name, "$ref" in json ? resolved(json) : json))
    }
    return name
  }

  /** A schema's own name, or the identifier of the reference to it. */
  const nameOf = (json: Json): string | null => {
    const own = ("$ref" in json ? resolved(json) : json)[TYPE_NAME]
    if (typeof own === "string") return own
    return "$ref" in json ? identifierOf(json) : null
  }

  const resolved = (json: Json): Json => recordOf(definitions[identifierOf(json)])

  const declarationOf = (name: string, json: Json): string => {
    const head = commentOf(json["description"])
    if (!("properties" in json)) return `${head}export type ${name} = ${inline(json)}\n`
    const fields = recordOf(json["properties"])
    const names = Object.keys(sharedFields)
    const extended = name !== sharedName && names.every((each) => each in fields) ? names : []
    const own = Object.entries(fields).filter(([field]) => !extended.includes(field))
    const heritage = extended.length > 0 ? ` extends ${sharedName}` : ""
    return `${head}export interface ${name}${heritage} ${membersOf(own, json["required"])}\n`
  }

  const membersOf = (fields: ReadonlyArray<readonly [string, unknown]>, required: unknown): string => {
    const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
    const members = fields.map(([name, field]) => {
      const { said, type } = parted(recordOf(field))
      const isTime = TIMES.has(name) && type["type"] === "integer"
      const description = isTime
        ? String(said["description"]).replace(", in Unix seconds.", ". ISO 8601 in UTC.")
        : said["description"]
      const value = isTime ? "string" : typeOf(type)
      return `${commentOf(description)}readonly ${NAMES[name] ?? name}${isRequired(name) ? "" : "?"}: ${value}\n`
    })
    return `{\n${members.join("")}}`
  }

  const inline = (json: Json): string => {
    if (Array.isArray(json["enum"])) {
      const names = json["enum"].map((value) => JSON.stringify(value))
      return [...names, ...(json[OPEN] === true ? ["(string & {})"] : [])].join(" | ")
    }
    if (Array.isArray(json["anyOf"])) return json["anyOf"].map((each: Json) => typeOf(each)).join(" | ")
    if ("properties" in json) return membersOf(Object.entries(recordOf(json["properties"])), json["required"])
    switch (json["type"]) {
      case "object":
        return `Readonly<Record<string, ${typeOf(recordOf(json["additionalProperties"]))}>>`
      case "array":
        return `ReadonlyArray<${typeOf(recordOf(json["items"]))}>`
      case "integer":
        return "number"
      case "string":
      case "number":
      case "boolean":
      case "null":
        return json["type"]
      default:
        if (Object.keys(json).every((key) => key === "description")) return "unknown"
        // An object without fields.
        if ("not" in json) return "Readonly<Record<string, never>>"
        throw new Error(`no type for ${JSON.stringify(json)}`)
    }
  }

  const sharedJson = documentOf(shared)
  const sharedName = String(sharedJson[TYPE_NAME])
  const sharedFields = recordOf(sharedJson["properties"])

  return {
    declarations,
    typeOf: (schema) => typeOf(documentOf(schema)),
    itemOf: (schema) => typeOf(recordOf(recordOf(recordOf(documentOf(schema)["properties"])["list"])["items"])),
    isOptional: (schema) => {
      const json = documentOf(schema)
      return !("required" in ("$ref" in json ? resolved(json) : json))
    }
  }
}

/** A field's type, and the field's description, which may be in a separate condition. */
const parted = ({ allOf, ...type }: Json): { readonly said: Json; readonly type: Json } => {
  const conditions: ReadonlyArray<Json> = Array.isArray(allOf) ? allOf : []
  const said = conditions.filter((each) => "description" in each)
  const left = conditions.filter((each) => !said.includes(each))
  return { said: Object.assign({}, ...said), type: Object.assign({}, ...left, type) }
}

const WIDTH = 113

/** A comment on one line, or on several. */
export const commentOf = (text: unknown): string => {
  if (typeof text !== "string") return ""
  const lines = text.split("\n").flatMap((paragraph) => wrapped(paragraph))
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`
}

const wrapped = (text: string): ReadonlyArray<string> => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines
}

const identifierOf = (json: Json): string => String(json["$ref"]).split("/").at(-1) ?? ""

const recordOf = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {})
