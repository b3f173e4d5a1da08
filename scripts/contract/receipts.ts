/**
 * The table of receipts over SMPP, for `docs/field.md`.
 */
import { type Row, rows } from "../../packages/sms/test/corpus/Receipts.ts"

export const receipts = {
  columns: ["from", "what is special", "read as", "source"],
  /** @param code writes a text as code */
  rows: (code: (text: string) => string) => rows.map((row) => [row.from, row.what, readingOf(row, code), row.source])
} as const

const readingOf = ({ query, reads }: Row, code: (text: string) => string): string => {
  if (typeof reads === "string") return reads
  const { error, isMatched = true, status, word } = reads
  const said = [
    status ?? "not final",
    ...(word === null ? [] : [code(word)]),
    ...(error === null ? [] : [`error ${code(error)}`])
  ]
  return [
    `${said.join(", ")}${isMatched ? "" : ", of no message"}`,
    ...(query === undefined ? [] : [`with ${code(query)}`])
  ].join(" ")
}
