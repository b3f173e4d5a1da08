/**
 * Who calls us, and which number of ours, by the head of an INVITE.
 *
 * Source: RFC 3325 §9.1 (P-Asserted-Identity), draft-ietf-sip-privacy-04 §5 (Remote-Party-ID), RFC 3323.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as HeaderValue from "../HeaderValue.ts"
import type { Request } from "../Message.ts"
import { type Reading, numberOf, ownIn } from "./Numbers.ts"

/** The callers that an INVITE names. */
export interface Callers {
  /** By P-Asserted-Identity, which a network sets. */
  readonly asserted: E164 | null
  /** By From, which the caller sets. */
  readonly written: E164 | null
  /** By Remote-Party-ID, from before P-Asserted-Identity. */
  readonly remote: E164 | null
}

/** The number of ours that is called: in the Request-URI, or else in To, if the URI is of an account; null for none. */
export const called = ({ headers, uri }: Request, ours: ReadonlyArray<E164>): E164 | null =>
  ownIn(uri, ours) ?? ownIn(HeaderValue.uriOf(headers.first("to") ?? ""), ours)

export const callers = ({ headers }: Request, reading: Reading): Callers => {
  const first = (addresses: ReadonlyArray<string>): E164 | null => {
    for (const address of addresses) {
      const number = numberOf(address, reading)
      if (number !== null) return number
    }
    return null
  }
  return {
    // It may have two values, a SIP and a tel URI.
    asserted: first(headers.list("p-asserted-identity")),
    written: first([headers.first("from") ?? ""]),
    remote: first(headers.list("remote-party-id").filter(isOfCaller))
  }
}

const isOfCaller = (value: string): boolean => (HeaderValue.parameter(value, "party") ?? "calling") === "calling"
