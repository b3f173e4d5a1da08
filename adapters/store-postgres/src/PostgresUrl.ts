/**
 * PostgreSQL connection URLs in libpq's syntax.
 *
 * Source: PostgreSQL 18 manual, 32.1.1.2 Connection URIs and 32.19 SSL support.
 */
import * as ConnectionUrl from "@watchword/schemas/ConnectionUrl"
import { StoreError } from "@watchword/store/StoreError"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { isIPv4 } from "node:net"
import type { ConnectionOptions } from "node:tls"
import type { Host } from "./Hosts.ts"

/** How to reach a database; undefined fields fall back to libpq's environment variables and defaults. */
export interface PostgresUrl {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly user: string | undefined
  readonly password: Redacted.Redacted<string> | undefined
  readonly database: string | undefined
  readonly ssl: false | ConnectionOptions
  /** Further hosts, one of which may be the primary. */
  readonly others: ReadonlyArray<Host>
  /** Whether even a single host has to be a primary. */
  readonly isPrimary: boolean
  readonly applicationName: string | undefined
}

const FORMAT: ConnectionUrl.Format = {
  schemes: ["postgres", "postgresql"],
  style: "query",
  example: "postgres://user:password@host:5432/database",
  isHost: (host) => host === "" || host.startsWith("/") || ConnectionUrl.isHost(host),
  hasPath: true
}

const LIST_FORMAT: ConnectionUrl.Format = {
  ...FORMAT,
  example: "postgres://user:password@host1:5432,host2:5432/database",
  isHost: ConnectionUrl.isHost
}

/**
 * Parses `postgres://user:password@host:port/database?…`.
 *
 * | option | meaning |
 * |---|---|
 * | `sslmode` | `disable`; `require`: encrypts, and trusts any certificate; `verify-ca`: trusts certificates from known authorities; `verify-full`: also requires a certificate for this host. Defaults to `disable` for a host on this machine, and to `verify-full` for any other |
 * | `sslrootcert` | a file with the authorities to trust, instead of Node's |
 * | `sslcert`, `sslkey` | files with a client certificate and its key |
 * | `application_name` | the name of the connections on the server |
 * | `host` | a directory with a Unix socket |
 * | `target_session_attrs` | `read-write` or `primary`: the host must accept writes. Of several hosts, `h1:5432,h2:5432`, a host that accepts writes is always used |
 */
export const parse = (text: string): Result.Result<PostgresUrl, StoreError> =>
  Result.mapError(readAll(text), ({ problem }) => {
    return new StoreError({ reason: "Unavailable", message: `The URL of the database ${problem}.` })
  })

/** The part before the hosts, the hosts, and the part after them. */
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)(.*)$/is

const readAll = (text: string): Result.Result<PostgresUrl, ConnectionUrl.Fault> =>
  Result.gen(function* () {
    const [, before = "", hosts = "", behind = ""] = HOSTS.exec(text) ?? []
    if (hosts === "") return yield* read(FORMAT, text)
    const [first = text, ...others] = hosts.split(",").map((host) => before + host + behind)
    const url = yield* read(LIST_FORMAT, first)
    return { ...url, others: yield* Result.all(others.map((other) => read(LIST_FORMAT, other))) }
  })

const read = (format: ConnectionUrl.Format, text: string): Result.Result<PostgresUrl, ConnectionUrl.Fault> =>
  Result.gen(function* () {
    const { host, options, password, path, port, user } = yield* ConnectionUrl.parse(format, text)
    const directory = yield* options.get("host", DIRECTORY, host)
    const ssl = yield* tls(options, isLocal(directory || process.env["PGHOST"] || "localhost"))
    const applicationName = yield* options.get("application_name", ANY, undefined)
    const isPrimary = (yield* options.get("target_session_attrs", TARGET, "any")) !== "any"
    yield* options.end()
    return {
      host: directory || undefined,
      port: port ?? undefined,
      user: user || undefined,
      password: password ?? undefined,
      database: path || undefined,
      ssl,
      others: [],
      isPrimary,
      applicationName
    }
  })

const TARGET = ConnectionUrl.oneOf("any", "read-write", "primary")

const ANY: ConnectionUrl.Kind<string> = { expected: "a text", parse: (text) => text }

const DIRECTORY: ConnectionUrl.Kind<string> = {
  expected: "one directory or host; several hosts stand before the path, as in host1:5432,host2:5432",
  parse: (text) => (text.includes(",") ? undefined : text)
}

/** The content of a file. */
const FILE: ConnectionUrl.Kind<string> = {
  expected: "a file that can be read",
  parse: (path) => {
    try {
      return readFileSync(path, "utf8")
    } catch {
      return undefined
    }
  }
}

const MODE = ConnectionUrl.oneOf("disable", "require", "verify-ca", "verify-full")

const tls = (
  options: ConnectionUrl.Options,
  onThisMachine: boolean
): Result.Result<false | ConnectionOptions, ConnectionUrl.Fault> =>
  Result.gen(function* () {
    const mode = (yield* options.get("sslmode", MODE, null)) ?? (onThisMachine ? "disable" : "verify-full")
    const ca = yield* options.get("sslrootcert", FILE, undefined)
    const cert = yield* options.get("sslcert", FILE, undefined)
    const key = yield* options.get("sslkey", FILE, undefined)
    const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
    switch (mode) {
      case "disable":
        return false
      case "require":
        return { ...files, rejectUnauthorized: false }
      case "verify-ca":
        return { ...files, checkServerIdentity: () => undefined }
      case "verify-full":
        return files
    }
  })

/** Whether a host is this machine, so that no third party can read the traffic between it and this process. */
const isLocal = (host: string): boolean =>
  host.startsWith("/") || host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."))
