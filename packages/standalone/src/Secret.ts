/**
 * The secrets of the installation: the setting, or a file next to the SQLite database that the first start makes.
 *
 * Each may hold several, apart by commas or white space: the first is in use, the others are those before it.
 */
import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Secrets, secrets } from "./settings/DatabaseSettings.ts"

interface Where {
  readonly database: { readonly _tag: "Sqlite"; readonly file: string } | { readonly _tag: "Postgres" }
  readonly secret: Option.Option<Secrets>
}

/** The secrets of these settings; none with PostgreSQL, which has no folder for a file. */
export const of = ({ database, secret }: Where): Secrets => {
  if (Option.isSome(secret)) return secret.value
  if (database._tag === "Postgres") return []
  return database.file === ":memory:" ? [Redacted.make(fresh())] : keptBeside(database.file)
}

/** The same for the operator's command, which makes no file: none if the file is not there or cannot be read. */
export const known = (where: Where): Secrets => {
  const { database, secret } = where
  if (Option.isSome(secret) || database._tag === "Postgres") return of(where)
  try {
    return whole(fileBeside(database.file))
  } catch {
    return []
  }
}

/** The name of the file next to a SQLite database. */
export const fileBeside = (database: string): string => `${database}.secret`

const keptBeside = (database: string): Secrets => {
  const file = fileBeside(database)
  try {
    return kept(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`DATABASE_URL: the secret next to the database, ${file}, cannot be used: ${reason}`, { cause })
  }
}

const fresh = (): string => randomBytes(32).toString("hex")

/** The secrets in a file, which is made whole or not at all, and by one process where several start at once. */
const kept = (file: string): Secrets => {
  try {
    return whole(file)
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error
  }
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, `${fresh()}\n`, { mode: 0o600, flush: true })
    linkSync(draft, file)
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return whole(file)
}

const whole = (file: string): Secrets => {
  const read = secrets(readFileSync(file, "utf8"))
  if (Result.isFailure(read)) throw new Error("the file is cut off; put the secret of this installation back")
  return read.success
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code
