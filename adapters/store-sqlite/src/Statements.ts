/**
 * Prepared statements by their text, for lists, which may ask for anything, and for changes of any columns.
 */
import type { Database, Statement } from "better-sqlite3"

type Values = Array<string | number | null>

/** How many statements are kept. */
const MOST = 100

/**
 * Prepares statements, all with rows of one kind, as arrays, and caches them: to prepare one costs as much as to find a
 * page.
 *
 * @param textOf the text of a statement by its key; the key itself unless given
 */
export const cached = <R>(db: Database, textOf: (key: string) => string = (key) => key) => {
  const statements = new Map<string, Statement<Values, R>>()

  return (key: string): Statement<Values, R> => {
    const known = statements.get(key)
    if (known !== undefined) return known
    const statement = db.prepare<Values, R>(textOf(key))
    if (statement.reader) statement.raw()
    if (statements.size === MOST) statements.clear()
    statements.set(key, statement)
    return statement
  }
}
