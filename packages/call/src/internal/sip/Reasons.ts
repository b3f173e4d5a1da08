/**
 * The Reason header of a final response, in addition to its status.
 *
 * Source: RFC 3326, RFC 8606 (location), RFC 9366 (several values of one protocol).
 */
import * as HeaderValue from "./HeaderValue.ts"
import type { Response } from "./Message.ts"

/** One value of a Reason header. */
export interface Reason {
  /** In capitals: `SIP`, `Q.850`, `STIR`, or a vendor's. */
  readonly protocol: string
  /** Null if it cannot be read. */
  readonly cause: number | null
  /** As it came; "" where it is missing. */
  readonly text: string
}

/**
 * The most values of a header that are read, and the most characters of a field: a trunk's answer costs no more than
 * that.
 */
const MOST = 8
const LONGEST = 2048

/** The values of a list header, up to a limit. */
export const valuesOf = ({ headers }: Response, name: string): ReadonlyArray<string> =>
  headers
    .all(name)
    .slice(0, MOST)
    .filter((field) => field.length <= LONGEST)
    .flatMap((field) => HeaderValue.split(field, ","))
    .slice(0, MOST)

export const reasonsOf = (response: Response): ReadonlyArray<Reason> => valuesOf(response, "reason").map(read)

/**
 * The first cause in ISDN's numbering of some values; null if no value has one. Source: RFC 3326 §2, ITU-T Q.850.
 */
export const q850 = (values: ReadonlyArray<string>): number | null =>
  values.map(read).find(({ cause, protocol }) => protocol === "Q.850" && cause !== null)?.cause ?? null

/** The cause of a response in ISDN's numbering, which Asterisk's `chan_sip` writes into a header of its own. */
export const q850Of = (response: Response): number | null =>
  q850(valuesOf(response, "reason")) ?? numberOf(response.headers.first("x-asterisk-hangupcausecode") ?? "")

const numberOf = (cause: string): number | null => (/^[0-9]{1,3}$/.test(cause) ? Number(cause) : null)

const read = (value: string): Reason => {
  const cause = HeaderValue.parameter(value, "cause") ?? ""
  return {
    protocol: (HeaderValue.split(value, ";")[0] ?? "").toUpperCase(),
    cause: numberOf(cause),
    text: HeaderValue.parameter(value, "text") ?? ""
  }
}

/** Q.850: the trunk's account may not make such calls. */
const BARRED: ReadonlyArray<number | null> = [52, 53]

/**
 * Whether a response says that our account may not call: some platforms give that the status of a callee who declines.
 */
export const isBarred = (response: Response): boolean =>
  BARRED.includes(q850Of(response)) || /\boutgoing[ _-]calls?[ _-]barred\b/i.test(response.phrase)

/**
 * The texts of a response as its sender wrote them, for people: the reason phrase, and the texts of Reason and Warning.
 */
export const textsOf = (response: Response): string =>
  [response.phrase, ...reasonsOf(response).map(({ text }) => text), ...valuesOf(response, "warning")]
    .filter((text) => text !== "")
    .join("; ")

/** A version tag of an analytics engine at the beginning of a text. Source: ATIS-1000099. */
const ANALYTICS = /^\s*v\s*=\s*analytics[0-9]*\s*(?:;|$)/i
const NETWORK_BLOCKED = /^\s*network[ _-]?blocked\b/i

/**
 * Twilio's own number of the error that a carrier has blocked the call for good, which it answers with 603 "Decline".
 */
const TWILIO_BLOCKED = /^\s*32203\b/

/**
 * Whether the network has refused the caller id, by an engine that counts and scores calls: the phone has shown
 * nothing. A plain 603 is the callee's own.
 *
 * Any of the marks is enough, because gateways on the way take some of them away.
 *
 * Source: ATIS-1000099 ("603+"), RFC 8688 (608); FCC 25-15: providers of the USA must answer so since March 2026.
 */
export const isCallerBlocked = (response: Response): boolean => {
  const { headers, phrase, status } = response
  if (status === 608) return true
  if (status === 603 && NETWORK_BLOCKED.test(phrase)) return true
  if (TWILIO_BLOCKED.test(headers.first("x-twilio-error") ?? "")) return true
  return reasonsOf(response).some(
    ({ cause, protocol, text }) =>
      (protocol === "SIP" && cause === 608) || ANALYTICS.test(text) || (cause === 603 && NETWORK_BLOCKED.test(text))
  )
}
