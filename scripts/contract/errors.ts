/**
 * What follows from the table of errors: the client's class of each code, and the page of reasons.
 */
import { type ErrorCode, entryOf, errors, isErrorCode, nameOf } from "../../packages/schemas/src/Errors.ts"
import { commentOf } from "./types.ts"

const codes: ReadonlyArray<ErrorCode> = Object.keys(errors).filter(isErrorCode)

/** The client's classes, unformatted. */
export const errorClasses = (): string => `/**
 * The errors that the service answers with, a class for each code. Written by scripts/contract.ts.
 */
import { coded } from "./WatchwordError.ts"

${codes.map(classOf).join("\n")}`

const classOf = (code: ErrorCode): string => {
  const { description, reasons = {}, status } = entryOf(code)
  const known = Object.entries(reasons).map(([reason, sentence]) => `- \`${reason}\`: ${sentence}`)
  const list = known.length === 0 ? "" : `\n\nIts \`reason\` is one of these:\n\n${known.join("\n")}`
  return `${commentOf(`${status}: ${description}${list}`)}export class ${nameOf(code)} extends coded("${code}", ${status}) {}\n`
}

/** The page of reasons. */
export const reasonsPage = (): string => `# Errors and their reasons

Written by \`npm run contract\` from the table of errors in \`packages/schemas/src/Errors.ts\`. How an error travels:
[The HTTP interface](http.md).

| \`error\` | status | |
|---|---|---|
${codes.map((code) => `| \`${code}\` | ${entryOf(code).status} | ${entryOf(code).description} |`).join("\n")}
${codes.map(reasonsOf).join("")}`

const reasonsOf = (code: ErrorCode): string => {
  const { reasons, status } = entryOf(code)
  if (reasons === undefined) return ""
  const rows = Object.entries(reasons).map(([reason, sentence]) => `| \`${reason}\` | ${sentence} |`)
  return `\n## ${status} ${code}\n\n| \`reason\` | |\n|---|---|\n${rows.join("\n")}\n`
}
