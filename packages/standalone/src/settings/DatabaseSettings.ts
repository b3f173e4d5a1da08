/**
 * The settings of the database, and the secret of the installation.
 */
import { accessSync, constants, existsSync } from "node:fs"
import { dirname } from "node:path"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, text, whole } from "./Reading.ts"
import { optionalSetting, read, readOptional, setting } from "./Setting.ts"

/** Where everything is kept. */
export type Database =
  | { readonly _tag: "Sqlite"; readonly file: string }
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted<string>
      readonly schema: string
      readonly connections: number
      /** The server itself, where the address leads to a pooler of transactions. */
      readonly direct: Option.Option<Redacted.Redacted<string>>
    }

/** The first secret is in use, the others are those before it. */
export type Secrets = ReadonlyArray<Redacted.Redacted>

const LEAST = 32

/** Secrets of the installation, apart by commas or white space. */
export const secrets: Parse<Secrets> = (value) => {
  const each = value.split(/[\s,]+/).filter((secret) => secret !== "")
  return each.length > 0 && each.every(({ length }) => length >= LEAST)
    ? Result.succeed(each.map((secret) => Redacted.make(secret)))
    : Result.fail(`must have at least ${LEAST} characters per secret, for example the output of openssl rand -hex 32`)
}

const address: Parse<
  | Extract<Database, { readonly _tag: "Sqlite" }>
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }
> = (value) => {
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1]
  if (file !== undefined) return Result.map(inFolder(file), () => ({ _tag: "Sqlite", file }) as const)
  return Result.match(postgresUrl(value), {
    onSuccess: (url) => Result.succeed({ _tag: "Postgres", url } as const),
    onFailure: () =>
      Result.fail("must be sqlite: and a file name, such as sqlite:watchword.db, or a postgres:// address")
  })
}

/** A database that is there, or may be made: SQLite's own error names neither the folder nor its problem. */
const inFolder: Parse<void> = (file) => {
  if (file === ":memory:" || existsSync(file)) return Result.succeed(undefined)
  const folder = dirname(file)
  if (!existsSync(folder)) return Result.fail(`names a file in the folder ${folder}, which does not exist`)
  return mayWrite(folder)
    ? Result.succeed(undefined)
    : Result.fail(`names a file in the folder ${folder}, to which this user cannot write`)
}

const mayWrite = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const postgresUrl: Parse<Redacted.Redacted<string>> = (value) =>
  /^postgres(?:ql)?:\/\//.test(value)
    ? Result.succeed(Redacted.make(value))
    : Result.fail("must be a postgres:// address")

export const database = {
  address: setting("DATABASE_URL", "sqlite:watchword.db", address, {
    description:
      "the SQLite file, for one server at a time; or `postgres://user:password@host/database`, with several hosts " +
      "[`h1:5432,h2:5432`](postgresql.md#several-hosts); `?sslmode=` disable, require, verify-ca or verify-full, which is the default unless the host is this machine; `?sslrootcert=` a file " +
      "with the authorities to trust",
    isSecret: true
  }),
  schema: setting("DATABASE_SCHEMA", "watchword", text, { description: "with PostgreSQL: the schema of all tables" }),
  connections: setting("DATABASE_CONNECTIONS", "10", whole(2, 9_999), {
    description: "with PostgreSQL: the most connections of this process"
  }),
  direct: optionalSetting("DATABASE_DIRECT_URL", postgresUrl, {
    description: "the server itself, when `DATABASE_URL` leads to a pooler of transactions",
    unset: "`DATABASE_URL`",
    isSecret: true
  }),
  secret: optionalSetting("VERIFY_SECRET", secrets, {
    description:
      "the secret of the installation: at least 32 characters, the same for all servers on one database, and never in a " +
      "backup next to it. Webhook secrets and test numbers' codes are sealed with it. Without it verifications are " +
      "answered 503, and codes in the database can be guessed. To replace it, put a new one before it, separated by a comma " +
      "or a new line; a day later you may remove the old one",
    unset: "a file `watchword.db.secret` next to the SQLite database; none with PostgreSQL",
    isSecret: true
  })
}

export const readDatabase = (environment: Environment): Read<Database> =>
  Result.gen(function* () {
    const address = yield* read(environment, database.address)
    if (address._tag === "Sqlite") return address
    return {
      ...address,
      schema: yield* read(environment, database.schema),
      connections: yield* read(environment, database.connections),
      direct: yield* readOptional(environment, database.direct)
    }
  })
