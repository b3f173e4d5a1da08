/**
 * Statements, and what they have in common.
 *
 * Beside ORDER BY, GROUP BY or LIMIT, `column = +?` and `LIMIT +?` are written, not `column = ?` and `LIMIT ?`: SQLite
 * looks at the value of a bare parameter to make its plan, and makes it anew whenever one is bound, which takes longer
 * than to find a page.
 */
import type { Database, Statement } from "better-sqlite3"

/** More texts than these are not remembered: lists may ask for anything. */
const MOST = 100

/**
 * Prepares statements whose text is made up when they are needed, all with rows of one kind, as arrays. They are
 * remembered: to prepare one costs as much as to find a page.
 */
export const remembering = <R>(db: Database) => {
  const known = new Map<string, Statement<Array<string | number>, R>>()

  return (text: string): Statement<Array<string | number>, R> => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const statement = db.prepare<Array<string | number>, R>(text).raw()
    if (known.size === MOST) known.clear()
    known.set(text, statement)
    return statement
  }
}
