/**
 * Records in the form of RFC 4180, for spreadsheets.
 */
import type { Row } from "./Row.ts"

const COLUMNS = ["created_at", "id", "account_id", "mode", "channel", "to", "status", "reason", "price"] as const

export const csvOf = (rows: ReadonlyArray<Row>): string =>
  [COLUMNS.join(","), ...rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(","))].join("\r\n")

/** Puts an apostrophe before a text that a spreadsheet would take for a formula, but not before a phone number. */
const cell = (value: string | number | null | undefined): string => {
  const text = String(value ?? "")
  const safe = /^[=@\t\r-]/.test(text) || /^\+(?!\d+$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
