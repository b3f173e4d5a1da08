/**
 * Bounds of lists and of operators' settings, read from the sources that enforce them, for the table of all limits.
 */
import { readFileSync } from "node:fs"

type Row = readonly [limit: string, of: string, value: string]

/** A number in a source, found by the text in front of it, because these modules do not export their bounds. */
const numberIn = (path: string, before: string): string => {
  const source = readFileSync(new URL(`../../packages/${path}`, import.meta.url), "utf8")
  const found = source.split(before).slice(1)
  const [, digits] = /^([\d_]+)/.exec(found[0] ?? "") ?? []
  if (found.length !== 1 || digits === undefined) throw new Error(`${path} must have one number after "${before}"`)
  return digits.replaceAll("_", "")
}

const workflows = numberIn(
  "verify/src/internal/VerifySettings.ts",
  'prefix: "workflow:",\n  title: "workflow",\n  most: '
)
const templates = numberIn("verify/src/internal/VerifySettings.ts", 'title: "template",\n  most: ')
const testNumbers = numberIn("verify/src/internal/VerifySettings.ts", 'title: "test number",\n  most: ')
const guards = "guards/src/operator/GuardSettings.ts"
const rules = "guards/src/Rules.ts"
const fields = "pagination/src/Fields.ts"
const throughput = "events/src/internal/Throughput.ts"
const waits = "sandbox/src/internal/feed/Waits.ts"

/** Bounds of lists, and the maximum number of each kind of setting. */
export const bounds = (): ReadonlyArray<Row> => [
  ["values of a filter", "a list", numberIn(fields, "const MAX_VALUES = ")],
  ["length of a filter value", "a list", `${numberIn(fields, "const MAX_CHARACTERS = ")} characters`],
  ["messages per answer", "the sandbox inbox", numberIn("sandbox/src/internal/inbox/Messages.ts", "MOST = ")],
  ["requests that wait for messages", "an account in the sandbox, per process", numberIn(waits, "const MOST = ")],
  ["requests that wait for a user", "a key, per process", numberIn("verify/src/internal/Waiting.ts", "MOST_OF_KEY = ")],
  [
    "wrong tokens before a form passes a number over",
    "a number, per day",
    numberIn("verify/src/internal/Hearing.ts", "MOST_WRONG = ")
  ],
  ["open streams", "the sandbox, per process", numberIn(waits, "const MOST_STREAMS = ")],
  ["webhooks", "an account; the installation", numberIn("events/src/internal/Endpoint.ts", "const MOST = ")],
  ["concurrent requests", "a webhook", `1 to ${numberIn(throughput, "concurrency: number(")}`],
  ["events per request", "a webhook", `1 to ${numberIn(throughput, "batch: number(")}`],
  ["webhooks with their own throughput", "the installation", numberIn(throughput, "const MOST = ")],
  ["blocks", "an account; the installation", numberIn(guards, "const MOST = ")],
  ["exceptions", "an account; the installation", numberIn(guards, "const MOST = ")],
  ["exceptions for a day", "an account; the installation", numberIn(guards, "const MOST_PASSES = ")],
  ["entries of a list", "guard rules", numberIn(rules, "const MOST_ENTRIES = ")],
  ["limits", "guard rules", numberIn(rules, "const MOST_LIMITS = ")],
  ["rates of all limits together", "guard rules", numberIn(rules, "const MOST_RATES = ")],
  ["allowed senders, callers or usernames", "an account", numberIn("schemas/src/Originators.ts", "const MOST = ")],
  ["workflows", "an account; the installation", workflows],
  ["templates", "an account; the installation", templates],
  ["test numbers", "an account", testNumbers],
  ["operators", "the installation", numberIn("operator/src/identity/Operators.ts", "const MOST = ")],
  ["entries per page", "the operators' log", numberIn("operator/src/commands/OperatorCommands.ts", "const MOST = ")],
  ["entries per page", "`account entries`", numberIn("operator/src/commands/MoneyCommands.ts", "const MOST = ")],
  ["retention period", "records and texts", `${numberIn("operator/src/privacy/Periods.ts", "const MOST = ")} days`]
]
