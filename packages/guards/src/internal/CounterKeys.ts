/**
 * Keys of counters: HMACs of the counted values under the installation's secret, so that a copy of the database does
 * not reveal the numbers and addresses of users. Accounts and countries are in keys as they are.
 *
 * A key begins with the code of the number if there is one, and all counters of a send share the code. Its rows are
 * therefore neighbours, and a store writes a page or two for all of them instead of a page for each.
 */
import { hmacSha256, sha256 } from "@watchword/schemas/Sha256"
import * as Redacted from "effect/Redacted"
import { type Facts, valueOf } from "./Facts.ts"
import { type Key, LIMIT_KEY } from "../Rules.ts"

/** The code of a text. */
export type CounterKey = (text: string) => string

/** The beginning of keys of a send's counters by some values; null if the send lacks one of them. */
export type PlaceOf = (by: ReadonlyArray<Key>) => string | null

/** Characters of a code: 72 bits. */
const LENGTH = 12

/** The most codes in a key, which then has 61 characters. More of them are one code behind the first. */
const MOST_CODES = 4

/** @param secrets of the installation; counters under another first secret begin at zero */
export const make = ([secret]: ReadonlyArray<Redacted.Redacted>): CounterKey => {
  const digest = secret === undefined ? sha256 : hmacSha256(Redacted.value(secret))
  return (text) => shortened(digest(text), LENGTH)
}

/** What limits count by, in the order in which keys have it. */
const ORDER: ReadonlyArray<Key> = ["to", "to_prefix", "client_ip", "client_ref", "key", "account", "country"]

/** The values that keys of a limit have. The account is in each code. */
export const orderOf = (by: ReadonlyArray<Key>): ReadonlyArray<Key> => {
  const hasCode = by.some((key) => key !== "account" && key !== "country")
  const limitKeys = by.filter((key) => key.startsWith(LIMIT_KEY)).toSorted()
  return [...ORDER.filter((key) => (key === "account" ? !hasCode : by.includes(key))), ...limitKeys]
}

/** @param to the number by which the send is counted */
export const placesOf = (facts: Facts, key: CounterKey, to: string = facts.to): PlaceOf => {
  const codes = new Map<Key, string | null>()
  const madeOf = (by: Key): string | null => {
    const value = valueOf(facts, by, to)
    if (by === "account") return `${facts.account}${facts.mode.slice(0, 1)}`
    return value === null || by === "country" ? value : key(`guards.${facts.account}.${facts.mode}.${by}.${value}`)
  }
  const codeOf = (by: Key): string | null => {
    const before = codes.get(by)
    const code = before === undefined ? madeOf(by) : before
    codes.set(by, code)
    return code
  }
  return (by) => {
    const all = by.map(codeOf)
    if (all.includes(null)) return null
    return all.length > MOST_CODES ? `${all[0]}${key(all.join(" "))}` : all.join("")
  }
}

/** The end of keys: the shortened name of a limit, and the window in seconds. */
export const endingOf = (name: string, window: number): string =>
  `${name === "" ? "" : shortened(sha256(name), 6)}.${(window / 1000).toString(36)}`

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** The first bits of a hexadecimal text in base64url (RFC 4648, §5). */
const shortened = (hex: string, length: number): string => {
  let code = ""
  for (let at = 0; code.length < length; at += 3) {
    const bits = Number.parseInt(hex.slice(at, at + 3), 16)
    code += ALPHABET.charAt(bits >> 6) + ALPHABET.charAt(bits & 63)
  }
  return code
}
