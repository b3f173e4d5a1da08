/**
 * Where the database is, as an address tells it. Nothing here repeats the address: it may hold a password.
 *
 * Source: PostgreSQL 18 manual, 32.1.1.2 Connection URIs and 32.19 SSL support.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"

export interface Address {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly user: string | undefined
  readonly password: Redacted.Redacted<string> | undefined
  readonly database: string | undefined
  readonly ssl: false | ConnectionOptions
  readonly applicationName: string | undefined
}

type Parsed<A> = Result.Result<A, StoreError>

/**
 * Reads `postgres://user:password@host:port/database?…`. What is left out is as libpq has it: from `PGHOST`,
 * `PGUSER` and the other variables, or on this machine.
 *
 * | parameter | meaning |
 * |---|---|
 * | `sslmode` | `disable` (unless given), `require`: encrypt, believe any certificate; `verify-ca`: believe those of a known authority; `verify-full`: and only for this host |
 * | `sslrootcert` | a file with the authorities to believe, instead of those that Node knows |
 * | `sslcert`, `sslkey` | files with a certificate and its key, to show to the server |
 * | `application_name` | what the server calls the connections |
 * | `host` | a directory with a Unix socket |
 */
export const parse = (url: string): Parsed<Address> =>
  Result.gen(function* () {
    const { hostname, password, pathname, port, protocol, searchParams, username } = yield* urlOf(url)
    if (protocol !== "postgres:" && protocol !== "postgresql:") return yield* fault("must begin with postgres://")
    for (const name of searchParams.keys()) {
      if (!known.has(name)) return yield* fault(`must not have the parameter ${name}`)
    }
    return {
      host: searchParams.get("host") ?? (bare(hostname) || undefined),
      port: port === "" ? undefined : Number(port),
      user: (yield* decoded(username)) || undefined,
      password: password === "" ? undefined : Redacted.make(yield* decoded(password)),
      database: (yield* decoded(pathname.slice(1))) || undefined,
      ssl: yield* tls(searchParams),
      applicationName: searchParams.get("application_name") ?? undefined
    }
  })

const known = new Set(["sslmode", "sslrootcert", "sslcert", "sslkey", "application_name", "host"])

const fault = (what: string): Result.Result<never, StoreError> =>
  Result.fail(new StoreError({ reason: "Unavailable", message: `The address of the database ${what}.` }))

const urlOf = (url: string): Parsed<URL> =>
  URL.canParse(url) ? Result.succeed(new URL(url)) : fault("must be like postgres://user:password@host:5432/database")

const bare = (hostname: string): string => decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1"))

const decoded = (text: string): Parsed<string> =>
  Result.orElse(Result.try({ try: () => decodeURIComponent(text), catch: () => null }), () =>
    fault("must have a percent sign written as %25")
  )

const tls = (parameters: URLSearchParams): Parsed<false | ConnectionOptions> =>
  Result.gen(function* () {
    const mode = parameters.get("sslmode") ?? "disable"
    if (mode === "disable") return false
    const files = {
      ...(yield* file(parameters, "sslrootcert", "ca")),
      ...(yield* file(parameters, "sslcert", "cert")),
      ...(yield* file(parameters, "sslkey", "key"))
    }
    switch (mode) {
      case "require":
        return { ...files, rejectUnauthorized: false }
      case "verify-ca":
        return { ...files, checkServerIdentity: () => undefined }
      case "verify-full":
        return files
      default:
        return yield* fault("must have an sslmode of disable, require, verify-ca or verify-full")
    }
  })

const file = (parameters: URLSearchParams, name: string, option: "ca" | "cert" | "key"): Parsed<ConnectionOptions> => {
  const path = parameters.get(name)
  if (path === null) return Result.succeed({})
  return Result.orElse(
    Result.try({ try: (): ConnectionOptions => ({ [option]: readFileSync(path, "utf8") }), catch: () => null }),
    () => fault(`names a file in ${name} that cannot be read`)
  )
}
