/**
 * Options of calls to us.
 */
import * as Networks from "@watchword/auth/Networks"
import type { Kind } from "@watchword/schemas/ConnectionUrl"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * Whose signatures of callers' numbers are believed.
 *
 * Source: RFC 8224 §6.2, RFC 8226.
 */
export interface IdentityOptions {
  /** Certificates in PEM form of the authorities that certify carriers. */
  readonly roots: string
  /** The hosts, with a port where it is not 443, that carriers' certificates are fetched from. */
  readonly hosts: ReadonlyArray<string>
  /** Certificates in PEM form that these hosts' own are checked by, instead of the well-known authorities. */
  readonly ca?: string
}

/** A server's certificate and its key in PEM form. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const isE164 = Schema.is(E164)

const parts = (text: string): ReadonlyArray<string> => text.split(",").map((part) => part.trim())

export const numbers: Kind<ReadonlyArray<E164>> = {
  expected: "numbers in E.164 form, each once and with commas between them, such as +493023125000,+493023125001",
  parse: (text) => {
    const all = parts(text)
    return all.every((each) => isE164(each)) && new Set(all).size === all.length ? all.filter(isE164) : undefined
  }
}

export const networks: Kind<Networks.Networks> = {
  expected: "IP addresses or CIDR ranges with commas between them, such as 203.0.113.0/24,2001:db8::/32",
  parse: (text) => Result.getOrElse(Networks.parse(parts(text)), () => undefined)
}
