import { fromSchemaError } from "@watchword/schemas/Errors"
import { CheckVerification, StartVerification } from "@watchword/schemas/Verification"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const to = "+4915123456789"

const fieldsOf = (decoded: Result.Result<unknown, Schema.SchemaError>): ReadonlyArray<string> =>
  Result.isFailure(decoded) ? fromSchemaError(decoded.failure).map(({ path }) => path) : []

const start = Schema.decodeUnknownResult(StartVerification, { errors: "all" })
const check = Schema.decodeUnknownResult(CheckVerification, { errors: "all" })

describe("the start of a verification", () => {
  it("needs a number only", () => {
    expect(start({ to, other: 1 })).toEqual(
      Result.succeed({ to, purpose: "default", code_length: 6, ttl: 600, max_checks: 5, max_sends: 5 })
    )
  })

  it("takes every field", () => {
    const body = {
      to,
      workflow: [
        { channel: "chatgw", timeout: 10 },
        { channel: "call", timeout: 900 }
      ],
      purpose: "sign-in",
      code_length: 8,
      ttl: 3600,
      max_checks: 10,
      max_sends: 1,
      locale: "zh-Hant-TW",
      template: "short",
      variables: { shop: "Acme" },
      app_hash: "FA+9qCX9VSu",
      web_origin: "https://shop.example",
      code: "0042",
      client_ip: "2001:db8::7",
      client_ref: "user 7",
      trusted: true,
      metadata: { cart: "7" }
    }
    expect(start(body)).toEqual(Result.succeed(body))
    expect(start({ to, workflow: "calls-first" })).toMatchObject({ success: { workflow: "calls-first" } })
  })

  it.each([
    [{ to: "015123456789" }, "to"],
    [{ workflow: [] }, "workflow"],
    [{ workflow: Array.from({ length: 5 }, () => ({ channel: "sms", timeout: 30 })) }, "workflow"],
    [{ workflow: [{ channel: "Fax", timeout: 30 }] }, "workflow[0].channel"],
    [{ workflow: [{ channel: "sms" }] }, "workflow[0].timeout"],
    [{ workflow: [{ channel: "sms", timeout: 9 }] }, "workflow[0].timeout"],
    [{ workflow: [{ channel: "sms", timeout: 901 }] }, "workflow[0].timeout"],
    [{ workflow: "No Such Name" }, "workflow"],
    [{ purpose: "" }, "purpose"],
    [{ code_length: 3 }, "code_length"],
    [{ code_length: 11 }, "code_length"],
    [{ ttl: 59 }, "ttl"],
    [{ ttl: 3601 }, "ttl"],
    [{ max_checks: 0 }, "max_checks"],
    [{ max_checks: 11 }, "max_checks"],
    [{ max_sends: 0 }, "max_sends"],
    [{ max_sends: 11 }, "max_sends"],
    [{ locale: "d" }, "locale"],
    [{ locale: "de_AT" }, "locale"],
    [{ template: "A" }, "template"],
    [{ app_hash: "short" }, "app_hash"],
    [{ web_origin: "http://shop.example" }, "web_origin"],
    [{ web_origin: "https://shop.example/" }, "web_origin"],
    [{ web_origin: "https://shop.example:8443" }, "web_origin"],
    [{ code: "123" }, "code"],
    [{ code: "12345a" }, "code"],
    [{ client_ip: "192.0.2.256" }, "client_ip"],
    [{ client_ip: "2001:db8" }, "client_ip"],
    [{ client_ip: "::1]/[::2" }, "client_ip"],
    [{ client_ref: "x".repeat(101) }, "client_ref"],
    [{ client_ref: "" }, "client_ref"],
    [{ client_ref: "a\u0000" }, "client_ref"],
    [{ client_ref: "\ud83d" }, "client_ref"],
    [{ trusted: "yes" }, "trusted"],
    [{ metadata: { a: "\n" } }, "metadata.a"],
    [{ metadata: { "": "a" } }, "metadata"],
    [{ metadata: { ["x".repeat(41)]: "a" } }, "metadata"],
    [{ metadata: { "a\u0000": "a" } }, "metadata"],
    [{ variables: { a: "\ud83d" } }, "variables.a"],
    [{ variables: { name: "Ada", brand: "Other" } }, "variables.brand"],
    [{ variables: { code: "000000" } }, "variables.code"],
    [{ variables: { minutes: "99" } }, "variables.minutes"],
    [{ metadata: { a: 1 } }, "metadata.a"],
    [{ metadata: { a: "x".repeat(101) } }, "metadata.a"],
    [{ metadata: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`key ${at}`, ""])) }, "metadata"]
  ])("names what is wrong with %j", (fields, path) => {
    expect(fieldsOf(start({ to, ...fields }))).toEqual([path])
  })
})

describe("a check", () => {
  const verification_id = "vrf_01KAJ3T8ZZ0000000000000000"

  it("names its verification by its id, or by its number", () => {
    for (const subject of [{ verification_id }, { to }, { to, purpose: "sign-in" }]) {
      expect(check({ code: "123456", ...subject })).toEqual(Result.succeed({ code: "123456", ...subject }))
    }
  })

  it("leaves out spaces and hyphens around the digits of a code, wherever they are", () => {
    const separators = fc.string({
      unit: fc.constantFrom(" ", "\u00a0", "\u202f", "\u2009", "\u3000", "-", "\u2010", "\u2011")
    })
    const digits = fc.array(fc.tuple(fc.constantFrom(..."0123456789"), separators), { minLength: 4, maxLength: 8 })
    fc.assert(
      fc.property(separators, digits, (before, pairs) => {
        const code = pairs.map(([digit]) => digit).join("")
        expect(check({ to, code: before + pairs.flat().join("") })).toEqual(Result.succeed({ to, code }))
      })
    )
  })

  it.each([
    [{}, "verification_id"],
    [{ to, verification_id }, "to"],
    [{ verification_id: "01KAJ3T8ZZ0000000000000000" }, "verification_id"],
    [{ to, code: "12_34_56" }, "code"],
    [{ to, code: "123456." }, "code"],
    [{ to, code: "1 2 3" }, "code"],
    [{ to, code: "1-2-3-4-5-6-7-8-9-0-1" }, "code"],
    [{ to, code: "- -" }, "code"]
  ])("names what is wrong with %j", (fields, path) => {
    expect(fieldsOf(check({ code: "123456", ...fields }))).toEqual([path])
  })
})
