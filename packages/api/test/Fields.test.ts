/**
 * Each field of the contract's schemas has a description, and its examples fit.
 */
import { Api } from "@watchword/api/Api"
import { ListBody } from "@watchword/pagination/Page"
import * as Errors from "@watchword/schemas/Errors"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
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
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const payloads = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
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
