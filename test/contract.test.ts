/**
 * What follows from the contract, and is written by a program: the client, its errors, and the page of reasons.
 */
import { type ErrorCode, entryOf, errors, isErrorCode } from "@watchword/schemas/Errors"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { stale } from "../scripts/contract.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

it("the files that follow from the contract do: else npm run contract", () => {
  expect(stale()).toEqual([])
})

/** The sources of the service, without suites and examples in comments. */
const sources = globSync("packages/*/src/**/*.ts", { cwd: root })
  .filter((path) => !/conformance|client\/src|errorTable/.test(path))
  .map((path) => readFileSync(`${root}/${path}`, "utf8").replaceAll(/^ *\*.*$/gm, ""))
  .join("\n")

const reasonsOf = (code: ErrorCode): ReadonlyArray<string> => Object.keys(entryOf(code).reasons ?? {})

describe("each reason", () => {
  it("that an error is made with is in the table under its code", () => {
    const made = [...sources.matchAll(/new (Conflict|Forbidden|TooManyRequests)\(\{[^}]*?reason: "(\w+)"/g)]
    expect(made.length).toBeGreaterThan(15)
    const codes = { Conflict: "CONFLICT", Forbidden: "FORBIDDEN", TooManyRequests: "TOO_MANY_REQUESTS" } as const
    const unknown = made.flatMap(([, name, reason = ""]) => {
      const code = Object.entries(codes).find(([each]) => each === name)?.[1] ?? "CONFLICT"
      return reasonsOf(code).includes(reason) ? [] : [`${name} ${reason}`]
    })
    expect(unknown).toEqual([])
  })

  it("of the table is one that the service gives", () => {
    const given = (reason: string) => new RegExp(`["\`]${reason.replace("…", "\\$")}|\\b${reason}: `).test(sources)
    const unknown = Object.keys(errors).filter(isErrorCode).flatMap(reasonsOf)
    expect(unknown.filter((reason) => !given(reason))).toEqual([])
  })
})
