/**
 * What the schemas of the contract say of themselves: a description for each field, and examples that fit.
 */
import { Api } from "@watchword/api/Api"
import { ListBody } from "@watchword/pagination/ListBody"
import * as Errors from "@watchword/schemas/Errors"
import { isPersonal } from "@watchword/schemas/Field"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const document: Json = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

/** The paths of fields and parameters below a part of the document that have no description. */
const undescribed = (part: Json, path: string): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return []
  if (isList(part)) return part.flatMap((each, index) => undescribed(each, `${path}/${index}`))
  return Object.entries(part).flatMap(([key, value]) => {
    // An example may have a field of this name too.
    if (key === "examples" || key === "filter") return []
    const isFields = key === "properties"
    const fields = isFields ? Object.entries(value ?? {}) : []
    const without = fields.filter(([, field]) => !isDescribed(field)).map(([name]) => `${path}/${name}`)
    return [...without, ...undescribed(value, isFields ? path : `${path}/${key}`)]
  })
}

const isList = (part: Json): part is ReadonlyArray<Json> => Array.isArray(part)

const isDescribed = (field: unknown): boolean => /\w/.test(String(Object(field).description ?? ""))

/** The bodies and answers that have examples, by name. */
const schemas = new Map<string, Schema.Top>([["ListBody", ListBody]])
/** The bodies of requests but lists. */
const bodies = new Set<Schema.Top>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const payloads = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
    for (const payload of payloads) if (endpoint.identifier !== "list") bodies.add(payload)
    for (const schema of [...payloads, ...endpoint.success]) {
      const name = Schema.resolveAnnotations(schema)?.["identifier"]
      if (typeof name === "string") schemas.set(name, schema)
    }
  }
})

const examplesOf = (name: string): ReadonlyArray<unknown> =>
  Object(Object(Object(Object(document).components).schemas)[name]).examples ?? []

describe("each field", () => {
  it("has a description in the document", () => {
    expect(undescribed(document, "")).toEqual([])
  })
})

/** Texts of requests that are no facts of a person: names and settings of the account's own, and what no record keeps. */
const IMPERSONAL = [
  "callback_url",
  "from",
  "id",
  "locale",
  "purpose",
  "request_id",
  "sender_username",
  "template",
  "tlvs",
  "uuid",
  "verification_id",
  "app_hash",
  "web_origin",
  "workflow"
]

/** Whether a field takes texts that its schema does not name one by one. */
const takesText = (field: Schema.Constraint): boolean => {
  const { schema } = Schema.toJsonSchemaDocument(field)
  return !("enum" in schema) && /"type":"string"(?!,"enum")/.test(JSON.stringify(schema))
}

it("each text of a request is marked as personal, so that it is erased, or is named here", () => {
  const fields = [...bodies].flatMap(({ ast }) => (SchemaAST.isObjects(ast) ? ast.propertySignatures : []))
  const unmarked = fields.filter(({ type }) => {
    const field = Schema.make(type)
    return takesText(field) && !isPersonal(field)
  })
  expect([...new Set(unmarked.map(({ name }) => name))].sort()).toEqual(IMPERSONAL.toSorted())
})

describe("each example", () => {
  it.each([...schemas])("of %s is one of its schema", (name, schema) => {
    const decode = Schema.decodeUnknownSync(Schema.toEncoded(schema), { onExcessProperty: "error" })
    expect(examplesOf(name)).not.toEqual([])
    for (const example of examplesOf(name)) expect(decode(example)).toBeDefined()
  })

  it("of an error has one of its reasons", () => {
    for (const code of Object.keys(Errors.errors).filter(Errors.isErrorCode)) {
      const { more = {}, reasons } = Errors.entryOf(code)
      expect(Object.keys(reasons ?? {}).includes(String(Object(more).reason))).toBe("reason" in more)
    }
  })
})
