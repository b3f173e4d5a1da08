/**
 * Certificates of carriers that sign callers' numbers: fetched from hosts of a list, and trusted where authorities of a
 * list have issued them.
 *
 * Whether a certificate is for the number that it signs is not looked at: authorities for SHAKEN certify carriers, each
 * of which signs for the numbers of its subscribers.
 *
 * Source: RFC 8226 §4 to §6, RFC 5280 §6.1, RFC 8224 §7.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { X509Certificate, webcrypto } from "node:crypto"
import * as https from "node:https"
import type { IdentityOptions } from "./InboundOptions.ts"

/** Octets of the longest answer, and how long it may take in milliseconds. */
const LONGEST = 65_536
const PATIENCE = 3_000
/** The most certificates from a carrier's to a root's. */
const DEEPEST = 5
/** How many are kept, and for how long in milliseconds: a failure is tried again sooner. */
const MOST_KEPT = 1_000
const FRESH = 3_600_000
const AGAIN = 30_000

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a text in PEM form. Throws where one cannot be read, or where there is not any. */
const certificatesIn = (pem: string): ReadonlyArray<X509Certificate> => {
  const found = (pem.match(PEM) ?? []).map((each) => new X509Certificate(each))
  if (found.length === 0) throw new Error("there is no certificate")
  return found
}

export interface Certificates {
  /** The key of the certificate at an address; null if it cannot be had, or is not trusted. */
  readonly keyAt: (x5u: string) => Effect.Effect<webcrypto.CryptoKey | null>
}

/** The key of a certificate, null if that cannot be had or is not trusted; and until when this is so. */
interface Found {
  readonly key: webcrypto.CryptoKey | null
  readonly until: number
}

/** @param options whose roots can be read */
export const make = ({ ca, hosts, roots }: IdentityOptions): Certificates => {
  const anchors = certificatesIn(roots)
  const known = new Set(hosts.map(hostOf))
  const kept = new Map<string, Promise<Found>>()

  const find = async (url: URL, now: number): Promise<Found> => {
    try {
      const chain = certificatesIn(await fetched(url, ca))
      const key = await keyOf(chain, anchors, now)
      const ends = [...chain, ...anchors].map(({ validTo }) => Date.parse(validTo)).filter((end) => end > now)
      return { key, until: Math.min(now + (key === null ? AGAIN : FRESH), ...ends) }
    } catch {
      return { key: null, until: now + AGAIN }
    }
  }

  const keyAt = async (url: URL, now: number): Promise<webcrypto.CryptoKey | null> => {
    const last = kept.get(url.href)
    const before = await last
    if (before !== undefined && before.until > now) return before.key
    // Of calls that find it too old at the same time one asks.
    const next = kept.get(url.href)
    if (next !== undefined && next !== last) return (await next).key
    for (const oldest of kept.keys()) {
      if (kept.size < MOST_KEPT) break
      kept.delete(oldest)
    }
    const found = find(url, now)
    kept.delete(url.href)
    kept.set(url.href, found)
    return (await found).key
  }

  return {
    keyAt: Effect.fnUntraced(function* (x5u) {
      const url = URL.canParse(x5u) ? new URL(x5u) : null
      if (url?.protocol !== "https:" || url.username !== "" || !known.has(url.host)) return null
      const now = yield* Clock.currentTimeMillis
      return yield* Effect.promise(() => keyAt(url, now))
    })
  }
}

/** A host as addresses have it: in lower case, and without the usual port. */
const hostOf = (host: string): string => (URL.canParse(`https://${host}`) ? new URL(`https://${host}`).host : host)

const fetched = (url: URL, ca: string | undefined): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = https.get(url, { ...(ca === undefined ? {} : { ca }), signal: AbortSignal.timeout(PATIENCE) })
    request.on("error", reject)
    request.on("response", (response) => {
      const chunks: Array<Buffer> = []
      let length = 0
      // A redirection may lead anywhere, and is not followed.
      if (response.statusCode !== 200) request.destroy(new Error("there is no certificate"))
      response.on("data", (chunk: Buffer) => {
        length += chunk.length
        if (length > LONGEST) request.destroy(new Error("the certificate is too long"))
        else chunks.push(chunk)
      })
      response.on("error", reject)
      response.on("end", () => resolve(Buffer.concat(chunks).toString("latin1")))
    })
  })

/** The key of the first certificate of a chain, for ES256; null unless one of the anchors has issued it. */
const keyOf = async (
  [leaf, ...others]: ReadonlyArray<X509Certificate>,
  anchors: ReadonlyArray<X509Certificate>,
  now: number
): Promise<webcrypto.CryptoKey | null> => {
  if (leaf === undefined || !isAnchored(leaf, others.slice(0, DEEPEST), anchors, now)) return null
  const spki = leaf.publicKey.export({ format: "der", type: "spki" })
  // Fails for a key of another kind or curve.
  return webcrypto.subtle.importKey("spki", spki, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"])
}

/** Whether a path leads from a certificate to an anchor, each of whose certificates is valid now. */
const isAnchored = (
  certificate: X509Certificate,
  others: ReadonlyArray<X509Certificate>,
  anchors: ReadonlyArray<X509Certificate>,
  now: number
): boolean => {
  if (!isCurrent(certificate, now)) return false
  if (anchors.some((anchor) => isCurrent(anchor, now) && isIssuedBy(certificate, anchor))) return true
  return others.some(
    (issuer, place) =>
      isIssuedBy(certificate, issuer) &&
      isAnchored(
        issuer,
        others.filter((_, other) => other !== place),
        anchors,
        now
      )
  )
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const isCurrent = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo)
