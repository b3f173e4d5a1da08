/**
 * Prepared statements by their text, for lists, which may ask for anything.
 */
import type { Database, Statement } from "better-sqlite3"
import QuickLRU from "quick-lru"

type Values = Array<string | number | null>

/** How many statements are kept. */
const MOST = 100

/**
 * Prepares statements, all with rows of one kind, as arrays, and caches them: to prepare one costs as much as to find a
 * page.
 */
export const cached = <R>(db: Database) => {
  const statements = new QuickLRU<string, Statement<Values, R>>({ maxSize: MOST })

  return (text: string): Statement<Values, R> => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = db.prepare<Values, R>(text)
    if (statement.reader) statement.raw()
    statements.set(text, statement)
    return statement
  }
}
