/**
 * Programs: none ends by itself, and none prints a number, a code or a secret.
 */
import { isUnforeseen } from "../unforeseen.ts"
import type { Evidence, Violation } from "../Evidence.ts"

export const alive = ({ deaths }: Evidence): ReadonlyArray<Violation> =>
  deaths.map((what) => ({ rule: "alive", number: null, what }))

export const foreseen = ({ printed }: Evidence): ReadonlyArray<Violation> =>
  lines(printed)
    .filter(({ line }) => isUnforeseen(line))
    .map(({ by, line }) => ({ rule: "foreseen", number: null, what: `${by}: ${line.slice(0, 600)}` }))

export const discreet = ({ arrivals, asked, printed, secrets }: Evidence): ReadonlyArray<Violation> => {
  const codes = new Set([
    ...arrivals.map(({ code }) => code ?? ""),
    ...asked.flatMap(({ body }) => (typeof body?.["code"] === "string" ? [body["code"]] : []))
  ])
  const hidden = secrets.filter((secret) => secret !== "")
  return lines(printed).flatMap(({ by, line }) => {
    const number = /\b49151\d{8}\b/.exec(line)?.[0]
    const digits = line.match(/(?<!\d)\d{8}(?!\d)/g) ?? []
    const found = [
      ...(number === undefined ? [] : ["a number"]),
      ...digits.filter((each) => codes.has(each)).map(() => "a code"),
      ...hidden.filter((secret) => line.includes(secret)).map(() => "a secret")
    ]
    return found.map((what) => ({
      rule: "discreet",
      number: number === undefined ? null : `+${number}`,
      what: `${by} printed ${what}: ${line.slice(0, 400)}`
    }))
  })
}

const lines = (printed: Evidence["printed"]) =>
  printed.flatMap(({ by, text }) => text.split("\n").map((line) => ({ by, line })))
