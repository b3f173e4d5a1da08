/**
 * Samples of a request in three languages. The server's own address replaces `ORIGIN` in the browser.
 */
import { type Fields, type Find, fields, list, text } from "./Json.ts"

export const ORIGIN = "\u0000"

export interface Call {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly parameters: ReadonlyArray<Fields>
  /** Undefined for a request without a body. */
  readonly body: unknown
}

export interface Sample {
  readonly language: "curl" | "ts" | "py"
  readonly code: string
}

/** Groups of `@watchword/client`; a service may have others. */
const CLIENT: ReadonlySet<string> = new Set(["verify", "call", "sms", "chatgw", "bizchat", "sandbox"])

/** The most fields of an example that a sample has in full. */
const SHORT = 4

export const samplesOf = (call: Call, base: string): ReadonlyArray<Sample> => [
  { language: "curl", code: curl(call, base) },
  { language: "ts", code: CLIENT.has(groupOf(call)) ? client(call, base) : fetched(call, base) },
  { language: "py", code: python(call, base) }
]

/** The body of a sample: the schema's first example, or only the required fields of a long example. */
export const exampleOf = (find: Find, value: unknown): unknown => {
  const { schema } = find(value)
  const example = list(schema["examples"])[0]
  const required = list(schema["required"]).map(text)
  const given = fields(example)
  if (example === undefined || Object.keys(given).length <= SHORT || required.length === 0) return example ?? {}
  return Object.fromEntries(required.map((name) => [name, given[name]]))
}

const groupOf = ({ operationId }: Call): string => operationId.split(".")[0] ?? ""

const inPath = ({ parameters }: Call) => parameters.filter((each) => each["in"] === "path")

const queryOf = ({ parameters }: Call): ReadonlyArray<readonly [string, unknown]> =>
  parameters
    .filter((each) => each["in"] === "query" && each["example"] !== undefined)
    .map((each) => [text(each["name"]), each["example"]])

/** The value of a path parameter in a sample. */
export const placeholder = (parameter: Fields): string => {
  const example = parameter["example"] ?? list(fields(parameter["schema"])["examples"])[0]
  if (typeof example === "string") return example
  return text(parameter["name"]) === "number" ? "+4915123456789" : `YOUR_${text(parameter["name"]).toUpperCase()}`
}

const urlOf = (call: Call, base: string): string => {
  const path = inPath(call).reduce(
    (all, parameter) => all.replace(`{${text(parameter["name"])}}`, encodeURIComponent(placeholder(parameter))),
    call.path
  )
  const query = new URLSearchParams(queryOf(call).map(([name, value]) => [name, String(value)])).toString()
  return `${base}${path}${query === "" ? "" : `?${query}`}`
}

const curl = (call: Call, base: string): string =>
  [
    `curl ${call.method === "GET" || (call.method === "POST" && call.body !== undefined) ? "" : `-X ${call.method} `}'${urlOf(call, base)}'`,
    `  -H "authorization: Bearer $WATCHWORD_API_KEY"`,
    ...(call.body === undefined
      ? []
      : [`  -H 'content-type: application/json'`, `  -d '${compact(call.body).replaceAll("'", String.raw`'\''`)}'`])
  ].join(" \\\n")

/** The longest body that is written in one line. */
const LINE = 60

const compact = (body: unknown): string => {
  const line = JSON.stringify(body)
  return line.length <= LINE ? line : JSON.stringify(body, null, 2)
}

const client = (call: Call, base: string): string => {
  const { code, to, verification_id: id } = fields(call.body)
  const given =
    // The one method with an argument that the body has.
    call.operationId === "verify.check" ? [script(id ?? { to }), script({ code })] : argumentsOf(call)
  return `import { createClient } from "@watchword/client"

const otp = createClient({
  baseUrl: "${base}",
  apiKey: process.env.WATCHWORD_API_KEY,
  accountId: process.env.WATCHWORD_ACCOUNT_ID
})

const answer = await otp.${call.operationId}(${given.join(", ")})`
}

const argumentsOf = (call: Call): ReadonlyArray<string> => {
  const query = Object.fromEntries(queryOf(call))
  return [
    ...inPath(call).map((parameter) => JSON.stringify(placeholder(parameter))),
    ...(call.body === undefined ? [] : [script(call.body)]),
    ...(Object.keys(query).length === 0 ? [] : [script(query)])
  ]
}

const fetched = (call: Call, base: string): string => `const response = await fetch("${urlOf(call, base)}", {
  method: "${call.method}",
  headers: {
    authorization: \`Bearer \${process.env.WATCHWORD_API_KEY}\`${
      call.body === undefined
        ? ""
        : `,
    "content-type": "application/json"`
    }
  }${
    call.body === undefined
      ? ""
      : `,
  body: JSON.stringify(${script(call.body, "  ")})`
  }
})
const answer = await response.json()`

const python = (call: Call, base: string): string => `import os
import requests

response = requests.${call.method.toLowerCase()}(
    "${urlOf(call, base)}",
    headers={"authorization": f"Bearer {os.environ['WATCHWORD_API_KEY']}"},${
      call.body === undefined
        ? ""
        : `
    json=${pythonic(call.body, "    ")},`
    }
)
response.raise_for_status()${
  call.method === "DELETE"
    ? ""
    : `
answer = response.json()`
}`

/** A value as TypeScript writes it. */
const script = (value: unknown, indent = ""): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([a-zA-Z_]\w*)":/gm, "$1$2:")
    .replaceAll("\n", `\n${indent}`)

const pythonic = (value: unknown, indent: string): string => {
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  const inner = `${indent}    `
  if (Array.isArray(value)) return `[\n${value.map((each) => `${inner}${pythonic(each, inner)},\n`).join("")}${indent}]`
  if (typeof value !== "object") return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonic(each, inner)},\n`
  )
  return entries.length === 0 ? "{}" : `{\n${entries.join("")}${indent}}`
}
