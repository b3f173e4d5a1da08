/**
 * Lines of comma-separated values (RFC 4180), for spreadsheets.
 */

/**
 * A line with the named values of each row, after a line with the names.
 *
 * A spreadsheet runs a cell that begins with `=`, `@`, `+` or `-` as a formula, and carriers and clients choose some of
 * the texts. So such a text gets an apostrophe in front; a phone number does not.
 *
 * @example
 * ```ts
 * import { linesOf } from "@watchword/schemas/Csv"
 *
 * const [, line] = linesOf(["to", "says"], [{ to: "+4915123456789", says: "Hello, Anna" }])
 * console.log(line) // +4915123456789,"Hello, Anna"
 * ```
 */
export const linesOf = <K extends string>(
  names: ReadonlyArray<K>,
  rows: ReadonlyArray<{ readonly [N in K]?: string | number | null | undefined }>
): ReadonlyArray<string> => [names.join(","), ...rows.map((row) => names.map((name) => cell(row[name])).join(","))]

const cell = (value: string | number | null | undefined): string => {
  const text = String(value ?? "")
  const isFormula = typeof value === "string" && (/^[=@\t\r-]/.test(text) || /^\+(?!\d+$)/.test(text))
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
