/**
 * Ids in Twilio's form. A ULID has 128 bits, which are the 32 hexadecimal digits of a SID, so that no table is needed.
 *
 * Source: https://github.com/ulid/spec; Twilio's glossary, "String Identifier (SID)".
 */
import { sha256 } from "@watchword/schemas/Sha256"

/** `AC…` of an account, `acc_…`. */
export const accountSid = (account: string): string => `AC${hexOf(account)}`

/** The account of an `AC…`; null for any other text. */
export const accountOf = (sid: string): string | null => idOf("AC", "acc_", sid)

/** The key of an `SK…`, `key_…`; null for any other text. */
export const keyOf = (sid: string): string | null => idOf("SK", "key_", sid)

/** `VE…` of a verification, `vrf_…`. */
export const verificationSid = (verification: string): string => `VE${hexOf(verification)}`

export const verificationOf = (sid: string): string | null => idOf("VE", "vrf_", sid)

/** `VL…` of a delivery. */
export const attemptSid = (delivery: string): string => `VL${hexOf(delivery)}`

export const deliveryOf = (sid: string): string | null => idOf("VL", "", sid)

/** `VA…` of an account's workflow; of its default workflow for null. */
export const serviceSid = (account: string, workflow: string | null): string =>
  `VA${workflow === null ? hexOf(account) : digest(account, workflow)}`

/** `HJ…` of a template. */
export const templateSid = (name: string): string => `HJ${digest("template", name)}`

/** Whether two SIDs are the same one: their digits may have either case. */
export const isSameSid = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const digest = (...parts: ReadonlyArray<string>): string => sha256(parts.join(" ")).slice(0, 32)

interface Digits {
  readonly alphabet: string
  /** How many digits have twenty bits. */
  readonly width: number
}

/** Crockford's base 32. */
const base32: Digits = { alphabet: "0123456789ABCDEFGHJKMNPQRSTVWXYZ", width: 4 }
const base16: Digits = { alphabet: "0123456789abcdef", width: 5 }

/** The 128 bits of a text in other digits. Its first two digits have eight bits, and then each group has twenty. */
const rewritten = (text: string, from: Digits, to: Digits): string => {
  let other = ""
  for (let place = 0; place < text.length;) {
    const isFirst = place === 0
    let bits = 0
    for (const end = place + (isFirst ? 2 : from.width); place < end; place++) {
      bits = bits * from.alphabet.length + from.alphabet.indexOf(text.charAt(place))
    }
    let group = ""
    for (let digit = isFirst ? 2 : to.width; digit > 0; digit--) {
      group = to.alphabet.charAt(bits % to.alphabet.length) + group
      bits = Math.floor(bits / to.alphabet.length)
    }
    other += group
  }
  return other
}

const hexOf = (id: string): string => rewritten(id.slice(-26), base32, base16)

const idOf = (prefix: string, own: string, sid: string): string | null =>
  sid.startsWith(prefix) && /^..[0-9a-f]{32}$/i.test(sid)
    ? own + rewritten(sid.slice(2).toLowerCase(), base16, base32)
    : null
