/**
 * Digest authentication at a trunk.
 *
 * Source: RFC 7616, RFC 8760, RFC 3261 §22.
 */
import * as Redacted from "effect/Redacted"
import { createHash, randomUUID } from "node:crypto"
import { type Endpoint, isSameHop } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
import type { Response } from "./Message.ts"

interface Challenge {
  readonly header: "Authorization" | "Proxy-Authorization"
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  /** As received; null when it is missing. */
  readonly algorithm: string | null
  readonly hash: string
  /** Whether it is a `-sess` algorithm. */
  readonly session: boolean
  readonly qop: boolean
  readonly stale: boolean
}

const hashes = new Map([
  ["md5", "md5"],
  ["sha-256", "sha256"],
  ["sha-512-256", "sha512-256"]
])
/** The most challenges that are kept. */
const MOST_KNOWN = 32
/** The most realms that one request is authenticated in. */
const MOST_REALMS = 4
/** How often a request is sent to one realm: again when its nonce was stale. */
const MOST_ROUNDS = 3

/** How often a request has answered a challenge, by realm. */
export type Rounds = Map<string, number>

interface Known {
  readonly hop: Endpoint
  readonly challenge: Challenge
  /** How often its nonce was used. */
  count: number
}

/** The credentials of one trunk, with the latest challenges of its hops. */
export class Credentials {
  private readonly user: string
  private readonly password: Redacted.Redacted
  /** By hop and realm. */
  private readonly known = new Map<string, Known>()

  constructor(user: string, password: Redacted.Redacted) {
    this.user = user
    this.password = password
  }

  /**
   * Takes the challenges of a response.
   *
   * @param hop the server that the request was sent to
   * @param rounds the challenges that the same request has answered; challenges that it can answer now are added
   * @returns whether to send the request again: not if the password is wrong, or if the response is not a 401 or 407
   */
  challenged(response: Response, hop: Endpoint, rounds: Rounds): boolean {
    if (![401, 407].includes(response.status)) return false
    let hopeful = false
    const seen = new Set<string>()
    for (const challenge of challengesOf(response)) {
      const key = `${challenge.header} ${challenge.realm}`
      // Challenges are in the order of the server's preference.
      if (seen.has(key)) continue
      seen.add(key)
      const round = rounds.get(key) ?? 0
      if (this.user === "" || (round > 0 && !challenge.stale)) return false
      if (round >= MOST_ROUNDS || (round === 0 && rounds.size >= MOST_REALMS)) return false
      if (this.known.size >= MOST_KNOWN) this.known.clear()
      this.known.set(`${hop.protocol} ${hop.address} ${hop.port} ${key}`, { hop, challenge, count: 0 })
      rounds.set(key, round + 1)
      hopeful = true
    }
    return hopeful
  }

  /** The header lines of a request to a server, each with its line break; "" before that server's first challenge. */
  lines(method: string, uri: string, hop: Endpoint): string {
    let lines = ""
    for (const entry of this.known.values()) {
      if (isSameHop(entry.hop, hop)) lines += `${this.line(entry.challenge, ++entry.count, method, uri)}\r\n`
    }
    return lines
  }

  private line(challenge: Challenge, count: number, method: string, uri: string): string {
    const { header, realm, nonce, opaque, algorithm, qop } = challenge
    const hash = (text: string) => createHash(challenge.hash).update(text, "latin1").digest("hex")
    const cnonce = randomUUID().replaceAll("-", "")
    const nc = count.toString(16).padStart(8, "0")
    // The realm is latin1 octets as received; user and password are brought into the same form.
    const key = hash(`${octets(this.user)}:${realm}:${octets(Redacted.value(this.password))}`)
    const secret = challenge.session ? hash(`${key}:${nonce}:${cnonce}`) : key
    const response = hash(`${secret}:${nonce}:${qop ? `${nc}:${cnonce}:auth:` : ""}${hash(`${method}:${uri}`)}`)
    return (
      `${header}: Digest username=${quoted(octets(this.user))}, realm=${quoted(realm)}, nonce=${quoted(nonce)}, ` +
      `uri=${quoted(uri)}, response="${response}"` +
      (algorithm === null ? "" : `, algorithm=${algorithm}`) +
      (qop ? `, qop=auth, nc=${nc}` : "") +
      (qop || challenge.session ? `, cnonce="${cnonce}"` : "") +
      (opaque === undefined ? "" : `, opaque=${quoted(opaque)}`)
    )
  }
}

const octets = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`

const challengesOf = ({ headers }: Response): ReadonlyArray<Challenge> => [
  ...headers.all("www-authenticate").flatMap((field) => readChallenge(field, "Authorization")),
  ...headers.all("proxy-authenticate").flatMap((field) => readChallenge(field, "Proxy-Authorization"))
]

const readChallenge = (field: string, header: Challenge["header"]): ReadonlyArray<Challenge> => {
  const [, parameters] = /^Digest[ \t]+(.*)$/i.exec(field) ?? []
  if (parameters === undefined) return []
  const values = new Map<string, string>()
  for (const each of HeaderValue.split(parameters, ",")) {
    const equals = each.indexOf("=")
    if (equals > 0) {
      values.set(each.slice(0, equals).trim().toLowerCase(), HeaderValue.unquoted(each.slice(equals + 1).trim()))
    }
  }
  const [, name = "", session] = /^(.*?)(-sess)?$/i.exec(values.get("algorithm") ?? "md5") ?? []
  const hash = hashes.get(name.toLowerCase())
  const qop = values.get("qop")
  const nonce = values.get("nonce")
  if (hash === undefined || nonce === undefined) return []
  if (qop !== undefined && !qop.toLowerCase().split(/[ ,]+/).includes("auth")) return []
  return [
    {
      header,
      realm: values.get("realm") ?? "",
      nonce,
      opaque: values.get("opaque"),
      algorithm: values.get("algorithm") ?? null,
      hash,
      session: session !== undefined,
      qop: qop !== undefined,
      stale: values.get("stale")?.toLowerCase() === "true"
    }
  ]
}
