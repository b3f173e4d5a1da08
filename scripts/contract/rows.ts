/**
 * A table whose rows people have written, held to what there is: the row of a thing stays, a thing without one gets a
 * row of its description, and the row of a thing that is gone goes.
 */

/**
 * @param before the table as it was
 * @param things descriptions by name
 * @param blanks how many empty cells a new row has between its name and its description
 */
export const heldRows = (before: string, things: ReadonlyMap<string, string>, blanks: number): string => {
  const [head = "", rule = "", ...rows] = before.split("\n")
  const names = [...things.keys()]
  const kept = rows.filter((row) => names.some((name) => isNamed(row, name)))
  const news = [...things].filter(([name]) => !rows.some((row) => isNamed(row, name)))
  const written = news.map(([name, description]) => `| \`${name}\` |${" |".repeat(blanks)} ${description} |`)
  return [head, rule, ...kept, ...written].join("\n")
}

/** Whether the first cell of a row has a name, or the end of one: `…_window_size`, `.failed`. */
const isNamed = (row: string, name: string): boolean =>
  [...(row.split("|")[1] ?? "").matchAll(/`(…?)([\w.]+)`/g)].some(([, short, text = ""]) =>
    short === "" && !text.startsWith(".") ? text === name : name.endsWith(text)
  )
