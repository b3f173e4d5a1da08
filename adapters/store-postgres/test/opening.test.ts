import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { selfSigned } from "../../../test/certificate.ts"
import * as PostgresUrl from "../src/PostgresUrl.ts"
import { linesOf, program } from "../../../test/stores/programs.ts"
import { accountFor, balanceOf, expectSound, opening, PRICE, sql } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

let server: PostgresServer
let folder: string

beforeAll(async () => {
  server = await start({ tls: selfSigned() })
  folder = mkdtempSync(join(tmpdir(), "store-postgres-"))
})

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const accounts = Effect.flatMap(Store, (store) => store.accounts)

const refusal = async (url: string, schema = "watchword"): Promise<string> => {
  const { message, reason } = await Effect.runPromise(
    Effect.flip(Effect.provide(accounts, BuiltIn.postgres(url, { schema })))
  )
  expect(reason).toBe("Unavailable")
  return message
}

const query = (parameters: string): string => `${server.url}?${parameters}`

const WRONG =
  "The URL of the database must look like postgres://user:password@host:5432/database, with other characters percent-encoded."

const WRONG_LIST =
  "The URL of the database must look like postgres://user:password@host1:5432,host2:5432/database, with other characters percent-encoded."

describe("a URL", () => {
  it.each([
    ["nonsense", WRONG],
    ["mysql://root:secret@127.0.0.1/x", WRONG],
    [
      "postgres://u:secret@h/x?sslmode=perhaps",
      'The URL of the database has a wrong "sslmode": it must be disable, require, verify-ca or verify-full.'
    ],
    [
      "postgres://u:secret@h/x?color=red",
      "The URL of the database has an unknown option; the options are host, sslmode, sslrootcert, sslcert, sslkey, application_name, target_session_attrs; percent-encode ?, & and ; in the password."
    ],
    ["postgres://u:%zz@h/x", "The URL of the database must have a password that is percent-encoded."],
    ["postgres://u:secret@h%zz/x", WRONG],
    ["postgres://u:secret@h/%zz", "The URL of the database must have a path that is percent-encoded."],
    [
      "postgres://u:4711/secret@h/x",
      "The URL of the database must not have @ in its path; percent-encode / in the password, and @ in the path."
    ],
    [
      "postgres://u:4711?secret@h/x",
      "The URL of the database has an unknown option; the options are host, sslmode, sslrootcert, sslcert, sslkey, application_name, target_session_attrs; percent-encode ?, & and ; in the password."
    ],
    ["postgres://u:secret@h1:5432,h2:five/x", WRONG_LIST],
    ["postgres://u:secret@h1,,h2/x", WRONG_LIST],
    ["postgres://u:secret@h1,/x", WRONG_LIST],
    [
      "postgres://u:secret@/x?host=h1,h2",
      'The URL of the database has a wrong "host": it must be one directory or host; several hosts stand before the path, as in host1:5432,host2:5432.'
    ],
    [
      "postgres://u:secret@h1,h2/x?target_session_attrs=standby",
      'The URL of the database has a wrong "target_session_attrs": it must be any, read-write or primary.'
    ],
    [
      "postgres://u:secret@h/x?sslmode=require&sslkey=/nowhere/key",
      'The URL of the database has a wrong "sslkey": it must be a file that can be read.'
    ]
  ])("%s is refused with one sentence that tells no secret", async (url, message) => {
    expect(await refusal(url)).toBe(message)
  })

  it("has what it says, and nothing for what it leaves out", () => {
    const parsed = (url: string) => {
      const { password, ...address } = Result.getOrThrow(PostgresUrl.parse(url))
      return { ...address, password: password && Redacted.value(password) }
    }
    expect(parsed("postgresql://me%40home:p%3A%2F@[::1]:6432/my%20db?application_name=x")).toEqual({
      host: "::1",
      port: 6432,
      user: "me@home",
      password: "p:/",
      database: "my db",
      ssl: false,
      others: [],
      isPrimary: false,
      applicationName: "x"
    })
    expect(parsed("postgres://me:p@a:1,[::1],c.example.com/d?target_session_attrs=primary")).toMatchObject({
      host: "a",
      port: 1,
      isPrimary: true,
      others: [
        { host: "::1", port: undefined, ssl: false },
        { host: "c.example.com", ssl: {} }
      ]
    })
    const left = { port: undefined, user: undefined, password: undefined, applicationName: undefined }
    const nothing = { ...left, ssl: false, others: [], isPrimary: false }
    expect(parsed("postgres:///db?host=/run/postgresql")).toEqual({
      ...nothing,
      host: "/run/postgresql",
      database: "db"
    })
    expect(parsed("postgres://")).toEqual({ ...nothing, host: undefined, database: undefined })
    expect(JSON.stringify(Result.getOrThrow(PostgresUrl.parse("postgres://u:secret@h/d")))).not.toContain("secret")
  })

  it("is encrypted and checked unless its host is this machine", () => {
    const ssl = (url: string) => Result.getOrThrow(PostgresUrl.parse(url)).ssl
    for (const host of ["", "localhost", "127.0.0.1", "127.8.0.1", "[::1]", "%2Frun%2Fpostgresql"]) {
      expect([host, ssl(`postgres://u:secret@${host}/d`)]).toEqual([host, false])
    }
    for (const host of ["db", "db.example.com", "10.0.0.5", "[fd00::1]", "127.example.com"]) {
      expect([host, ssl(`postgres://u:secret@${host}/d`)]).toEqual([host, {}])
      expect(ssl(`postgres://u:secret@${host}/d?sslmode=disable`)).toBe(false)
    }
    vi.stubEnv("PGHOST", "db.example.com")
    expect(ssl("postgres:///d")).toEqual({})
    vi.unstubAllEnvs()
  })

  it("without a server is refused without the password", async () => {
    const message = await refusal("postgres://user:secret@127.0.0.1:1/x")
    expect(message).toBe("The database could not be opened: no connection (ECONNREFUSED).")
  })

  it("without the password that the server asks for is refused with that reason", async () => {
    const asking = await start({ authentication: "scram-sha-256" })
    expect(await refusal(asking.url)).toBe(
      "The database could not be opened: the server asks for a password, but the URL has no password."
    )
    expect(await refusal(asking.url.replace("postgres@", "postgres:secret@"))).toBe(
      'The database could not be opened: password authentication failed for user "postgres" (28P01).'
    )
    const { host } = new URL(asking.url)
    expect(await refusal(`postgres://postgres:secret@${host},${host}/postgres`)).toBe(
      'The database could not be opened: password authentication failed for user "postgres" (28P01).'
    )
    await asking.stop()
  })

  it("of a database that does not exist is refused", async () => {
    const message = await refusal(server.url.replace(/postgres$/, "absent"))
    expect(message).toBe('The database could not be opened: database "absent" does not exist (3D000).')
  })

  it("may be redacted", async () => {
    expect(
      await Effect.runPromise(Effect.provide(accounts, BuiltIn.postgres(Redacted.make(server.url), { schema: "r" })))
    ).toEqual([])
  })

  it("names the connections to the server", async () => {
    const seen = Effect.andThen(
      accounts,
      Effect.promise(() =>
        sql<{ application_name: string }>(
          server.url,
          "SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name <> ''"
        )
      )
    )
    const names = await Effect.runPromise(
      Effect.provide(seen, BuiltIn.postgres(query("application_name=here"), { schema: "n" }))
    )
    expect(names).toEqual([{ application_name: "here" }])
  })
})

describe("TLS", () => {
  const encrypted = (url: string) =>
    Effect.provide(
      Effect.andThen(
        accounts,
        Effect.promise(() =>
          sql<{ ssl: boolean }>(
            server.url,
            "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'watchword'"
          )
        )
      ),
      BuiltIn.postgres(url, { schema: "tls" })
    ).pipe(
      Effect.map((rows) => rows.map(({ ssl }) => ssl)),
      Effect.runPromise
    )

  it("is off for a server on this machine unless asked for", async () => {
    expect(await encrypted(server.url)).toEqual([false])
  })

  it("is on with require, for any server", async () => {
    expect(await encrypted(query("sslmode=require"))).toEqual([true])
  })

  it("trusts only known authorities with verify-ca and verify-full", async () => {
    const ca = join(folder, "ca.pem")
    writeFileSync(ca, server.certificate ?? "")
    for (const mode of ["verify-ca", "verify-full"]) {
      expect(await refusal(query(`sslmode=${mode}`))).toBe(
        "The database could not be opened: the certificate of the server is of no known authority; " +
          "sslrootcert names a file with its authority (DEPTH_ZERO_SELF_SIGNED_CERT)."
      )
      expect(await encrypted(query(`sslmode=${mode}&sslrootcert=${ca}`))).toEqual([true])
    }
    const byName = (mode: string) => query(`sslmode=${mode}&sslrootcert=${ca}`).replace("127.0.0.1", "localhost")
    expect(await encrypted(byName("verify-ca"))).toEqual([true])
    expect(await refusal(byName("verify-full"))).toBe(
      "The database could not be opened: " +
        "the certificate of the server is for another host (ERR_TLS_CERT_ALTNAME_INVALID)."
    )
  })

  it("is refused with that reason by a server that has none", async () => {
    const plain = await start()
    expect(await refusal(`${plain.url}?sslmode=verify-full`)).toBe(
      "The database could not be opened: the server has no TLS; " +
        "sslmode=disable leaves it out, for a network that others cannot read."
    )
    await plain.stop()
  })
})

describe("a schema", () => {
  it("is refused when it belongs to another program, and left as it is", async () => {
    await sql(server.url, "CREATE SCHEMA theirs")
    await sql(server.url, "CREATE TABLE theirs.recipes (name text)")
    expect(await refusal(server.url, "theirs")).toBe("The schema theirs belongs to another program.")
    const tables = await sql(server.url, "SELECT tablename FROM pg_tables WHERE schemaname = 'theirs'")
    expect(tables).toEqual([{ tablename: "recipes" }])
  })

  it("may have any name, and be there already; each is a store of its own", async () => {
    const names = ["Ümlaut \"quoted\" 'x'", "empty"]
    await sql(server.url, "CREATE SCHEMA empty")
    for (const schema of names) {
      const program = Effect.gen(function* () {
        expect(yield* accounts).toEqual([])
        const account = yield* accountFor(2)
        const store = yield* Store
        yield* store.open(opening(account))
        expect(yield* balanceOf(account)).toMatchObject({ available: PRICE, held: PRICE })
      })
      await Effect.runPromise(Effect.provide(program, BuiltIn.layer({ url: server.url, schema })))
    }
  })

  it(
    "is made once when several processes start at the same time; a balance for a hundred pays for a hundred",
    { timeout: 60_000 },
    async () => {
      const printed = await Promise.all([1, 2, 3, 4, 5].map(() => linesOf(program("race.ts", `${server.url}#raced`))))
      const tallies = printed.map(([line = "{}"]): Record<string, number> => JSON.parse(line))
      const total = (tag: string) => tallies.reduce((sum, tally) => sum + (tally[tag] ?? 0), 0)
      expect([total("Opened"), total("Insufficient")]).toEqual([100, 400])
      await Effect.runPromise(
        Effect.provide(expectSound(server.url, "raced"), BuiltIn.postgres(server.url, { schema: "raced" }))
      )
    }
  )
})

describe("a database that cannot be relied on", () => {
  it.each([
    [
      "latin",
      "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
      "",
      "The database must have the encoding UTF8; it has LATIN1."
    ],
    [
      "strict",
      "",
      "ALTER DATABASE strict SET default_transaction_isolation = 'serializable'",
      "The database must have default_transaction_isolation = 'read committed'; it has 'serializable'."
    ],
    [
      "hasty",
      "",
      "ALTER DATABASE hasty SET synchronous_commit = 'off'",
      "The database must not have synchronous_commit = 'off': acknowledged changes could be lost."
    ]
  ])("is refused: %s", async (name, options, change, message) => {
    await sql(server.url, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`)
    if (change !== "") await sql(server.url, change)
    expect(await refusal(server.url.replace(/postgres$/, name))).toBe(message)
  })
})

describe("a server of another product", () => {
  /** A database in which a function of the server's is replaced by another product's. */
  const replaced = async (name: string, definition: string): Promise<string> => {
    await sql(server.url, `CREATE DATABASE ${name}`)
    const url = server.url.replace(/postgres$/, name)
    await sql(url, "CREATE SCHEMA theirs")
    await sql(url, `CREATE FUNCTION theirs.${definition}`)
    await sql(url, `ALTER DATABASE ${name} SET search_path = theirs, pg_catalog`)
    return url
  }

  it.each([
    ["CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/09 18:04:39, go1.22.8)", "CockroachDB"],
    ["PostgreSQL 11.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6, 64-bit", "YugabyteDB"],
    ["PostgreSQL 13.14.0-RisingWave-2.1.0 (4b4a2d2)", "RisingWave"],
    ["Hyperscale 3", "another product"]
  ])("is refused by its version: %s", async (version, product) => {
    const name = product.replaceAll(" ", "_").toLowerCase()
    const url = await replaced(name, `version() RETURNS text LANGUAGE sql AS $$ SELECT '${version}' $$`)
    expect(await refusal(url)).toBe(
      `The server must be PostgreSQL; it is ${product}, on which advisory locks do not keep processes apart.`
    )
  })

  it("is refused where its locks do nothing", async () => {
    const nothing = "pg_try_advisory_xact_lock(integer, integer) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$"
    expect(await refusal(await replaced("lockless", nothing))).toBe(
      "The server must be PostgreSQL; this one does not keep advisory locks."
    )
  })
})
