/**
 * Hostile inputs: values that no client would send, and valid examples with some places spoilt.
 */
import * as fc from "fast-check"

/** Texts that make parsers stumble. */
const TEXTS = [
  "",
  " ",
  "\0",
  "\u0000abc",
  "\ud800",
  "\udfff\ud800",
  "\u202e+4915123456789",
  "١٢٣٤٥٦",
  "１２３４５６",
  "🇩🇪👩‍👩‍👧‍👦",
  "\r\nx-injected: 1",
  "%00%ff%",
  "{{code}}{{code}}",
  "{{",
  "__proto__",
  "constructor",
  "toString",
  "NaN",
  "-0",
  "1e400",
  "0x10",
  "9007199254740993",
  "00491512345678",
  "+4915123456789",
  "+1",
  "+999999999999999",
  "tel:+4915123456789;ext=1",
  "' OR 1=1 --",
  "\\",
  '"',
  "../../../etc/passwd",
  "file:///etc/passwd",
  "http://[::1",
  "http://127.0.0.1:1/",
  "javascript:alert(1)",
  "a".repeat(300),
  "é".repeat(2_000),
  "9".repeat(400),
  "(".repeat(3_000)
]

/** A text of any characters, including lone surrogates. */
export const text = (maxLength = 40): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength }) },
    { weight: 2, arbitrary: fc.string({ maxLength }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength }) }
  )

const NUMBERS = [0, -0, -1, 1, 0.1, 1e-300, 1e300, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 63, 1e21, 65_536, 4_294_967_296]

const deep = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Any JSON value. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: text() },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { "": "" }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom(10, 100, 500).map(deep) },
  { weight: 1, arbitrary: fc.array(text(10), { maxLength: 30 }) }
)

type Change = (object: Record<string, unknown>, name: string) => void

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: value.map(
      (other): Change =>
        (object, name) =>
          void define(object, name, other)
    )
  },
  { weight: 1, arbitrary: fc.constant<Change>((object, name) => void delete object[name]) },
  {
    weight: 1,
    arbitrary: fc.tuple(text(12), value).map(
      ([name, other]): Change =>
        (object) =>
          define(object, name, other)
    )
  }
)

const define = (object: Record<string, unknown>, name: string, given: unknown): void =>
  void Object.defineProperty(object, name, {
    value: structuredClone(given),
    enumerable: true,
    configurable: true,
    writable: true
  })

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === "object" && given !== null

/** A value and all objects and arrays in it, except deeply nested ones. */
const objectsIn = (given: unknown, depth = 8): ReadonlyArray<Record<string, unknown>> =>
  isObject(given) && depth > 0 ? [given, ...Object.values(given).flatMap((inner) => objectsIn(inner, depth - 1))] : []

/** A valid example, unchanged or with up to three places spoilt. */
export const spoilt = (example: unknown): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(fc.nat(), fc.nat(), change), { maxLength: 3 }).map((changes) => {
    const copy: unknown = structuredClone(example)
    for (const [whichObject, whichName, apply] of changes) {
      const objects = objectsIn(copy)
      const object = objects[whichObject % Math.max(1, objects.length)]
      if (object === undefined) continue
      const names = Object.keys(object)
      apply(object, names[whichName % Math.max(1, names.length)] ?? "x")
    }
    return copy
  })

/** Bytes that are unchanged, cut off, repeated, or partly replaced. */
export const damaged = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(bytes, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), fc.option(fc.nat(), { freq: 3 }))
    .map(([given, replaced, cut]) => {
      const copy = Buffer.from(given)
      for (const [at, octet] of replaced) if (copy.length > 0) copy[at % copy.length] = octet
      return cut === null ? copy : copy.subarray(0, cut % (copy.length + 1))
    })

/** Arbitrary octets. */
export const octets = (maxLength = 200): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength })

/** A JSON body, seldom damaged; some bodies are not JSON. */
export const body = (example: unknown): fc.Arbitrary<Buffer> => {
  const json = spoilt(example).map((given) => Buffer.from(JSON.stringify(given) ?? "null"))
  return fc.oneof(
    { weight: 8, arbitrary: json },
    { weight: 1, arbitrary: damaged(json) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        octets().map((given) => Buffer.from(given)),
        text().map((given) => Buffer.from(given))
      )
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          "[".repeat(20_000),
          '{"a":'.repeat(5_000),
          `{"to":"${"x".repeat(70_000)}"}`,
          "\ufeff{}",
          "nul",
          "{}{}"
        )
        .map((given) => Buffer.from(given))
    }
  )
}

/** Header values, except values that `node:http` refuses to write. */
export const headerValue: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  fc.constantFrom(
    "",
    " ",
    "*/*",
    "application/json; charset=utf-16",
    "gzip",
    "chunked",
    "a".repeat(5_000),
    "1, 2, 3",
    "é"
  )
)
