/**
 * API keys: `sk_live_` or `sk_test_` and 256 random bits. The service keeps only their hash.
 */
import type { Mode } from "@watchword/schemas/Channel"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"

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
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const DIGITS = Math.ceil(BITS / Math.log2(ALPHABET.length)) // 43

/** How many characters every key has. */
export const LENGTH = prefixes.live.length + DIGITS

const SHAPE = new RegExp(`^sk_(?:live|test)_[${ALPHABET}]{${DIGITS}}$`)

/** Whether a text looks like a key, which says nothing about whether it is one. */
export const isApiKey = (text: string): boolean => text.length === LENGTH && SHAPE.test(text)

/**
 * Makes a key.
 */
export const make = Effect.fnUntraced(function* (mode: Mode) {
  const prefix = prefixes[mode]
  const secret = prefix + inBase62(crypto.getRandomValues(new Uint8Array(BITS / 8)))
  const key: ApiKey = {
    secret: Redacted.make(secret, { label: "ApiKey" }),
    hash: yield* hash(secret),
    prefix,
    lastFour: secret.slice(-4)
  }
  return key
})

const inBase62 = (bytes: Uint8Array): string => {
  const base = BigInt(ALPHABET.length)
  let rest = BigInt(`0x${Hex.encode(bytes)}`)
  let digits = ""
  for (let digit = 0; digit < DIGITS; digit++) {
    digits = ALPHABET.charAt(Number(rest % base)) + digits
    rest /= base
  }
  return digits
}

/** SHA-256 of a whole key, lower-case hexadecimal. */
export const hash = (secret: string): Effect.Effect<string> =>
  Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).pipe(
    Effect.map((digest) => Hex.encode(new Uint8Array(digest)))
  )

/** Compares two hashes in a time that does not tell where they differ. */
export const isSameHash = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
