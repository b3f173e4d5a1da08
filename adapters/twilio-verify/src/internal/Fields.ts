/**
 * The parameters of a request: a form, as SDKs post it, a JSON object, or a query. A parameter without a value is
 * absent, because SDKs post `null` as an empty one.
 *
 * Source: the SDKs' own requests; URL Living Standard, "application/x-www-form-urlencoded parsing".
 */
import type { HostBody, HostRequest } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Refused, invalid } from "./Answers.ts"

/** A parameter's value; null if the parameter is absent. */
type Read<A> = Effect.Effect<A | null, Refused>

export interface Fields {
  readonly text: (name: string) => Read<string>
  /** A parameter that must be there. */
  readonly required: (name: string) => Effect.Effect<string, Refused>
  /** A JSON object in a parameter; its numbers and booleans as texts. */
  readonly entries: (name: string) => Read<Readonly<Record<string, string>>>
  /** The payment of `Amount` and `Payee`, which need each other. */
  readonly payment: Read<{ readonly amount: string; readonly payee: string }>
  /** A whole number. */
  readonly whole: (name: string) => Read<number>
  /** A time, in milliseconds since the epoch. */
  readonly time: (name: string) => Read<number>
}

export const ofQuery = (path: string): Fields => {
  const at = path.indexOf("?")
  return fields(new URLSearchParams(at < 0 ? "" : path.slice(at)))
}

export const ofBody = ({ headers }: HostRequest, body: HostBody): Effect.Effect<Fields, Refused> => {
  switch (body._tag) {
    case "Absent":
      return Effect.succeed(fields(new URLSearchParams()))
    case "Parsed":
      return Effect.map(paramsOf(body.value), fields)
    case "Bytes":
      return Effect.flatMap(decoded(body.bytes), (text) =>
        Effect.map(ofText(String(headers["content-type"] ?? ""), text), fields)
      )
    case "TooLarge":
      return Effect.fail(invalid("the body is too large."))
    case "Late":
    case "Overloaded":
      return Effect.fail(new Refused({ code: 20503, message: "Too many bodies came at once, or the body too slowly." }))
    case "Unreadable":
      return Effect.fail(invalid("the body cannot be read to its end."))
  }
}

const decoded = (bytes: Uint8Array): Effect.Effect<string, Refused> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => invalid("the body is not UTF-8.")
  })

const ofText = (type: string, text: string): Effect.Effect<URLSearchParams, Refused> => {
  if (text === "" || /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    return Effect.succeed(new URLSearchParams(text))
  }
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    return Effect.fail(invalid("the content type must be application/x-www-form-urlencoded or application/json."))
  }
  return Option.match(jsonIn(text), {
    onNone: () => Effect.fail(invalid("the body is not valid JSON.")),
    onSome: paramsOf
  })
}

/** The parameters of a JSON object, or of a form that the host has parsed. */
const paramsOf = (value: unknown): Effect.Effect<URLSearchParams, Refused> => {
  if (!isObject(value)) return Effect.fail(invalid("the body must be an object of parameters."))
  const params = new URLSearchParams()
  for (const [name, given] of Object.entries(value)) {
    const all: ReadonlyArray<unknown> = Array.isArray(given) ? given : [given]
    for (const one of all) if (one != null) params.append(name, written(one))
  }
  return Effect.succeed(params)
}

const written = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value))

const jsonIn = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fields = (params: URLSearchParams): Fields => {
  const given = Map.groupBy(params, ([name]) => name)
  /** Names with brackets behind them, as some libraries write objects. */
  const inBrackets = new Set([...given.keys()].flatMap((name) => /^[^[]+(?=\[)/.exec(name) ?? []))

  const text: Fields["text"] = (name) => {
    const values = given.get(name) ?? []
    if (values.length > 1) return Effect.fail(invalid(`${name} is there ${values.length} times.`))
    const value = values[0]?.[1]
    return inBrackets.has(name) ? Effect.fail(invalid(`${name} ${AS_JSON}`)) : Effect.succeed(value || null)
  }
  const read =
    <A>(readText: (name: string, given: string) => Effect.Effect<A, Refused>) =>
    (name: string): Read<A> =>
      Effect.flatMap(text(name), (given): Read<A> => (given === null ? Effect.succeed(null) : readText(name, given)))

  return {
    text,
    required: (name) =>
      Effect.flatMap(text(name), (given) =>
        given === null
          ? Effect.fail(new Refused({ code: 60200, message: `Missing required parameter ${name}` }))
          : Effect.succeed(given)
      ),
    entries: read((name, given) =>
      Option.match(Option.filter(jsonIn(given), isObject), {
        onNone: () => Effect.fail(invalid(`${name} ${AS_JSON}`)),
        onSome: (object) => entriesOf(name, object)
      })
    ),
    payment: Effect.flatMap(Effect.all([text("Amount"), text("Payee")]), ([amount, payee]) => {
      if (amount === null && payee === null) return Effect.succeed(null)
      return amount === null || payee === null
        ? Effect.fail(invalid("Amount and Payee must both be there, or neither."))
        : Effect.succeed({ amount, payee })
    }),
    whole: read((name, given) =>
      /^[0-9]{1,9}$/.test(given)
        ? Effect.succeed(Number(given))
        : Effect.fail(invalid(`${name} must be a whole number.`))
    ),
    time: read((name, given) => {
      const at = Date.parse(given)
      return Number.isNaN(at)
        ? Effect.fail(invalid(`${name} must be a time, such as 2026-11-28T12:00:00Z.`))
        : Effect.succeed(at)
    })
  }
}

const AS_JSON = "must be a JSON object in a text: JSON.stringify in Node, json.dumps in Python."

const entriesOf = (name: string, object: object): Effect.Effect<Readonly<Record<string, string>>, Refused> => {
  const entries = Object.entries(object).map(([key, value]: [string, unknown]) => [key, value] as const)
  const wrong = entries.find(([, value]) => !["string", "number", "boolean"].includes(typeof value))
  return wrong === undefined
    ? Effect.succeed(Object.fromEntries(entries.map(([key, value]) => [key, String(value)])))
    : Effect.fail(invalid(`${name} has a value that is not a text, under ${wrong[0].slice(0, 40)}.`))
}
