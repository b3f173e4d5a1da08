/**
 * Cells in columns, for answers on a terminal.
 */

/** Cells under their names. Words are on the left, numbers on the right. */
export const table = (rows: ReadonlyArray<Readonly<Record<string, string>>>): ReadonlyArray<string> => {
  const names = Object.keys(rows[0] ?? {})
  const all = [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))]
  const widths = names.map((_, place) => Math.max(...all.map((cells) => cells[place]?.length ?? 0)))
  const isWord = names.map((_, place) => rows.every((row) => WORD.test(row[names[place] ?? ""] ?? "")))
  return all.map((cells) =>
    cells
      .map((cell, place) => (isWord[place] ? cell.padEnd(widths[place] ?? 0) : cell.padStart(widths[place] ?? 0)))
      .join("  ")
      .trimEnd()
  )
}

/** A cell of words, or a time. */
const WORD = /^(?!-?[\d(])|^\d{4}-/
