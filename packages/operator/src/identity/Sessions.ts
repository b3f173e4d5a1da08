/**
 * Sessions of browsers: a cookie names the token that opened it, and ends with it, or after twelve hours. No store
 * holds sessions: the cookie is signed under the installation's secret.
 *
 * Source: RFC 6265 §5.1.4: a cookie without a path is for the folder of the address that sets it, as its browser sees
 * it, also behind a proxy that rewrites paths.
 */
import { isSameHash } from "@watchword/auth/Keys"
import * as Operators from "./Operators.ts"
import { hmacSha256 } from "@watchword/schemas/Sha256"
import { InstallationSecret, deriveKey } from "@watchword/send/pipeline"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { HostRequest } from "@watchword/server/Host"
import { headerOf } from "@watchword/server/http"

export interface Sessions {
  /** The header `set-cookie` that opens a session. */
  readonly open: (request: HostRequest, granted: Operators.Granted) => Effect.Effect<string>
  /** The grant of a request's session; null without a session, and for an ended one. */
  readonly of: (request: HostRequest) => Effect.Effect<Operators.Granted | null, StoreError, Settings | Store>
}

const NAME = "watchword_operator"
const VALUE = /^(opr_[0-9A-Z]{26})\.(\d{1,15})\.([0-9a-f]{64})$/

export const make: Effect.Effect<Sessions, never, InstallationSecret> = Effect.gen(function* () {
  const secrets = yield* InstallationSecret
  const signatures = yield* Effect.cached(Effect.promise(() => Promise.all(secretsOr(secrets).map(signatureOf))))

  const open: Sessions["open"] = Effect.fnUntraced(function* (request, { expiresAt, id }) {
    const now = yield* Clock.currentTimeMillis
    const until = Math.min(expiresAt, now + Operators.SESSION)
    const [sign] = yield* signatures
    const value = `${id}.${until}.${sign?.(`${id} ${until}`) ?? ""}`
    return cookie(request, value, Math.floor((until - now) / 1_000))
  })

  const of: Sessions["of"] = Effect.fnUntraced(function* (request) {
    const [, id = "", until = "", code = ""] = VALUE.exec(cookieOf(request) ?? "") ?? []
    if (id === "" || Number(until) <= (yield* Clock.currentTimeMillis)) return null
    const isOurs = (yield* signatures).some((sign) => isSameHash(sign(`${id} ${until}`), code))
    return isOurs ? yield* Operators.find(id) : null
  })

  return { open, of }
})

/** Without a secret sessions end with the process, as codes of verifications do. */
const secretsOr = (secrets: ReadonlyArray<Redacted.Redacted>): ReadonlyArray<string> =>
  secrets.length === 0
    ? [String(globalThis.crypto.getRandomValues(new Uint8Array(32)))]
    : secrets.map((secret) => Redacted.value(secret))

const signatureOf = async (secret: string) =>
  hmacSha256(await (await deriveKey(secret)).bits("watchword operator sessions", 256))

/** The header `set-cookie` that ends the session of a browser. */
export const ended = (request: HostRequest): string => cookie(request, "", 0)

/** @param seconds how long the browser keeps it */
const cookie = (request: HostRequest, value: string, seconds: number): string =>
  [
    `${NAME}=${value}`,
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isOpen(request) ? [] : ["Secure"])
  ].join("; ")

/**
 * Whether a request came without TLS and without a proxy from the machine itself, where some browsers keep no `Secure`
 * cookies. A proxy may pass its own address on as the host.
 */
const isOpen = (request: HostRequest): boolean =>
  LOOPBACK.test(headerOf(request, "host") ?? "") && FORWARDED.every((name) => headerOf(request, name) === null)

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** The headers that proxies add. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

const cookieOf = (request: HostRequest): string | undefined =>
  (headerOf(request, "cookie") ?? "")
    .split(/[;,]/)
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1)
