import { fromSchemaError, unknownField } from "@watchword/schemas/Errors"
import { SendSms } from "@watchword/schemas/Sms"
import { StartVerification } from "@watchword/schemas/Verification"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const fieldsOf = (schema: { readonly fields: object }): ReadonlyArray<string> => Object.keys(schema.fields)

const issuesOf = (schema: Schema.ConstraintCodec<unknown, unknown>, value: unknown) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return fromSchemaError(Effect.runSync(Effect.flip(decode(value))))
}

describe("a field that there is not", () => {
  it.each([
    ["To", "to"],
    ["phone_number", "to"],
    ["msisdn", "to"],
    ["Channel", "workflow"],
    ["CustomCode", "code"],
    ["codeLength", "code_length"],
    ["tokenLength", "code_length"],
    ["lg", "locale"],
    ["language", "locale"],
    ["timeout", "ttl"],
    ["pin_expiry", "ttl"],
    ["DeviceIp", "client_ip"],
    ["maxChecks", "max_checks"],
    ["metdata", "metadata"]
  ])("of a start named %s is taken for %s", (name, field) => {
    expect(unknownField(name, fieldsOf(StartVerification))).toBe(`is not a field; use ${field}`)
  })

  it.each([
    ["Body", "text"],
    ["message", "text"],
    ["txet", "text"],
    ["originator", "from"],
    ["recipient", "to"]
  ])("of a text named %s is taken for %s", (name, field) => {
    expect(unknownField(name, fieldsOf(SendSms))).toBe(`is not a field; use ${field}`)
  })

  it("is answered with all fields where none is near", () => {
    expect(unknownField("constructor", ["to", "text"])).toBe("is not a field; use one of to, text")
    expect(unknownField("a", [])).toBe("is not a field; this body has no fields")
  })

  it("is never taken for one that the object does not have", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,12}$/), { minLength: 1 }),
        (name, fields) => {
          const [, one] = /^is not a field; use (?!one of)(.+)$/.exec(unknownField(name, fields)) ?? []
          if (one !== undefined) expect(fields).toContain(one)
        }
      )
    )
  })

  it("is an issue at its path, with those of its siblings", () => {
    expect(issuesOf(SendSms, { to: "0151", txet: "hi" })).toEqual([
      { path: "txet", message: "is not a field; use text" },
      { path: "to", message: expect.stringMatching(/^must /) },
      { path: "text", message: "is required" }
    ])
  })

  it("is named in twenty issues at most, and not at full length", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${index}${"x".repeat(100)}`, 0]))
    const issues = issuesOf(SendSms, { to: "+4915123456789", text: "hi", ...many })
    expect(issues).toHaveLength(20)
    for (const { path } of issues) expect(path.length).toBeLessThanOrEqual(65)
  })
})
