/**
 * Records as a file that spreadsheets read.
 */
import { csvOf } from "./csv.ts"
import type { More, Row } from "./Row.ts"

/** The most records of a file. */
export const MOST = 1_000

const SIZE = 100

/** Asks for the newest records, and has the browser save them. */
export const saved = async (more: More): Promise<void> => {
  const rows: Array<Row> = []
  let after: { readonly after?: string } = {}
  while (rows.length < MOST) {
    const page = await more({ ...after, limit: SIZE })
    rows.push(...page.rows)
    if (page.next === null) break
    after = { after: page.next }
  }
  savedAs(csvOf(rows), `watchword-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`)
}

/** Has the browser save a CSV file. */
export const savedAs = (csv: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
