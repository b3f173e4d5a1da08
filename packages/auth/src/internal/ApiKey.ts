/**
 * API keys: `sk_live_` or `sk_test_`, 256 random bits, and a checksum of both, all in base 62. The service keeps only
 * their hash. The checksum tells a mistyped or made-up key without a look-up; it protects nothing, as anyone can
 * compute it.
 */
import type { Mode } from "@watchword/schemas/Channel"
import { sha256 } from "@watchword/schemas/Sha256"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import { crc32 } from "./Crc32.ts"

/** A new key. `secret` is the whole key and is shown once; the rest may be stored and listed. */
export interface ApiKey {
  readonly secret: Redacted.Redacted
  /** SHA-256 of the whole key, lower-case hexadecimal. */
  readonly hash: string
  readonly prefix: string
  readonly lastFour: string
}

const prefixes: { readonly [M in Mode]: string } = { live: "sk_live_", sandbox: "sk_test_" }

const BITS = 256
const CHECKSUM_BITS = 32
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const digitsFor = (bits: number): number => Math.ceil(bits / Math.log2(ALPHABET.length))
const DIGITS = digitsFor(BITS) // 43
const CHECKSUM_DIGITS = digitsFor(CHECKSUM_BITS) // 6

/** How many characters every key has. */
export const LENGTH = prefixes.live.length + DIGITS + CHECKSUM_DIGITS

const SHAPE = new RegExp(`^sk_(?:live|test)_[${ALPHABET}]{${DIGITS + CHECKSUM_DIGITS}}$`)

/**
 * Whether a text is written as keys are, its checksum included, which says nothing about whether there is such a key.
 */
export const isApiKey = (text: string): boolean => {
  if (text.length !== LENGTH || !SHAPE.test(text)) return false
  const body = text.slice(0, -CHECKSUM_DIGITS)
  return text === body + checksum(body)
}

/** Makes a key. */
export const make = (mode: Mode): Effect.Effect<ApiKey> =>
  Effect.sync(() => {
    const prefix = prefixes[mode]
    const body = prefix + randomText()
    const secret = body + checksum(body)
    return {
      secret: Redacted.make(secret, { label: "ApiKey" }),
      hash: hash(secret),
      prefix,
      lastFour: secret.slice(-4)
    }
  })

/** 256 random bits in base 62. */
export const randomText = (): string => {
  const random = crypto.getRandomValues(new Uint8Array(BITS / 8))
  return inBase62(BigInt(`0x${Hex.encode(random)}`), DIGITS)
}

const checksum = (body: string): string => inBase62(BigInt(crc32(body)), CHECKSUM_DIGITS)

const inBase62 = (value: bigint, digits: number): string => {
  const base = BigInt(ALPHABET.length)
  let rest = value
  let text = ""
  for (let digit = 0; digit < digits; digit++) {
    text = ALPHABET.charAt(Number(rest % base)) + text
    rest /= base
  }
  return text
}

/** SHA-256 of a whole key, lower-case hexadecimal. */
export const hash = sha256

/** Compares two hashes in a time that does not tell where they differ. */
export const isSameHash = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
