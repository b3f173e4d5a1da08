import * as ConnectionUrl from "@watchword/schemas/ConnectionUrl"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const query: ConnectionUrl.Format = {
  schemes: ["db", "dbs"],
  style: "query",
  example: "db://user:password@host/name",
  hasPath: true
}

const parameters: ConnectionUrl.Format = { schemes: ["sip"], style: "parameters", example: "sip:user:password@host" }

const readWith = (format: ConnectionUrl.Format, text: string) =>
  Result.gen(function* () {
    const { options, password, ...rest } = yield* ConnectionUrl.parse(format, text)
    const window = yield* options.get("window", ConnectionUrl.integer(1, 100), 10)
    const mode = yield* options.get("mode", ConnectionUrl.oneOf("on", "off", "auto"), null)
    yield* options.end()
    return { ...rest, password: password === null ? null : Redacted.value(password), window, mode }
  })

const fault = (format: ConnectionUrl.Format, text: string): ConnectionUrl.Fault => {
  const read = readWith(format, text)
  return Result.isFailure(read) ? read.failure : { setting: "none", problem: "none" }
}

describe("a connection URL", () => {
  it("has credentials, a host, a port, a path and options", () => {
    expect(Result.getOrThrow(readWith(query, "DBS://me:p%40ss@db.example:5433/main%20one?window=5&mode=off"))).toEqual({
      scheme: "dbs",
      user: "me",
      password: "p@ss",
      host: "db.example",
      port: 5433,
      path: "main one",
      window: 5,
      mode: "off"
    })
  })

  it("may have its options as parameters", () => {
    expect(Result.getOrThrow(readWith(parameters, "sip:me;x=1:secret@[2001:db8::1]:5060;WINDOW=7"))).toEqual({
      scheme: "sip",
      user: "me;x=1",
      password: "secret",
      host: "2001:db8::1",
      port: 5060,
      path: "",
      window: 7,
      mode: null
    })
  })

  it("may have nothing but a host", () => {
    expect(Result.getOrThrow(readWith(query, "db://localhost"))).toMatchObject({
      user: null,
      password: null,
      port: null,
      path: "",
      window: 10,
      mode: null
    })
  })

  it.each([
    ["http://me@host", "url"],
    ["db:host", "url"],
    ["db://", "url"],
    ["db://ho st", "url"],
    ["db://[::zz]", "url"],
    ["db://host:70000", "url"],
    ["db://host:0", "port"],
    ["db://host#part", "url"],
    ["db://m%zz@host", "user"],
    ["db://me:%zz@host", "password"],
    ["db://host?window=101", "window"],
    ["db://host?window=1e1", "window"],
    ["db://host?window=1&window=2", "window"],
    ["db://host?mode=ON", "none"],
    ["db://host?mode=maybe", "mode"],
    ["db://host?windows=1", "option"]
  ])("that cannot be used has a fault that names the part: %s", (text, setting) => {
    expect(fault(query, text).setting).toBe(setting)
  })

  it("has no path where the format has none", () => {
    expect(fault({ ...query, hasPath: false }, "db://host/path").setting).toBe("url")
  })

  it("tells the values that an option takes", () => {
    expect(fault(query, "db://host?mode=2").problem).toBe('has a wrong "mode": it must be on, off or auto')
    expect(fault(query, "db://host?window=x").problem).toBe(
      'has a wrong "window": it must be a whole number from 1 to 100'
    )
  })

  it("is counted in a list", () => {
    const list = (text: string) =>
      ConnectionUrl.parseList(query, "database URL", text, ({ host }) => Result.succeed(host))
    expect(Result.getOrThrow(list("db://one, db://two"))).toEqual(["one", "two"])
    expect(list("db://one,")).toEqual(
      Result.fail({
        setting: "url",
        message:
          "database URL number 2 must look like db://user:password@host/name, with other characters percent-encoded."
      })
    )
  })

  it.each([query, parameters])("holds any percent-encoded user and password, and no fault repeats them", (format) => {
    const secret = "Tr0ub4dor"
    const text = FastCheck.oneof(
      FastCheck.string({ unit: "grapheme" }),
      FastCheck.string({ unit: FastCheck.constantFrom(..."@?&;=/#:%[]") })
    )
    const start = format.style === "query" ? "db://" : "sip:"
    FastCheck.assert(
      FastCheck.property(text, text, (user, around) => {
        const password = `${around}${secret}`
        const encoded = `${start}${encodeURIComponent(user)}:${encodeURIComponent(password)}@host`
        expect(Result.getOrThrow(readWith(format, encoded))).toMatchObject({ user, password, host: "host" })
        const raw = `${start}${user}:${password}${around}@host`
        expect(JSON.stringify(fault(format, raw))).not.toContain(secret)
      }),
      { numRuns: 1_000 }
    )
  })
})
