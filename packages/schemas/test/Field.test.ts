import { impersonal, optional, personal, personalDetails, request } from "@watchword/schemas/Field"
import * as Schema from "effect/Schema"
import { describe, expect, expectTypeOf, it } from "vitest"

type Text = { readonly note: typeof Schema.String }
type Texts = { readonly notes: Schema.optionalKey<Schema.$Record<Schema.String, Schema.String>> }
type Words = { readonly word: Schema.Literals<["yes", "no"]>; readonly times: Schema.Int }

/** The fields that a body takes. */
type Taken<Fields extends Schema.Struct.Fields> = Parameters<typeof request<Fields>>[0]

describe("the body of a request", () => {
  it("takes no text of which is not decided whether it is personal", () => {
    expectTypeOf<Text>().not.toExtend<Taken<Text>>()
    expectTypeOf<Texts>().not.toExtend<Taken<Texts>>()
    expectTypeOf<Words>().toExtend<Taken<Words>>()
    expect(Schema.is(request({ note: impersonal(Schema.String.annotateKey({})) }))({ note: "a" })).toBe(true)
  })

  it("names the details that an erasure takes out", () => {
    const body = request({
      note: personal(optional(Schema.String, "A note."), { note: null, note_of: "" }),
      to: personal(optional(Schema.String, "The number.")),
      colour: impersonal(optional(Schema.String, "The colour."))
    })
    expect(personalDetails(body)).toEqual({ note: null, note_of: "" })
  })
})
