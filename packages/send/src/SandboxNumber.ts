/**
 * What the sandbox does with a number: its last four digits choose the outcome.
 *
 * | digits | outcome |
 * |---|---|
 * | 0001 | sent, and nothing is heard of it again |
 * | 0002 | undelivered, or failed |
 * | 0003 | the number has no account on the chat app |
 * | 0004 | expired |
 * | 0402 | the account's balance is too small |
 * | 0480 | the gateway is unreachable for the moment |
 * | 0486 | busy (calls only) |
 * | 0503 | the gateway is disconnected |
 * | 0603 | declined (calls only) |
 * | any other | delivered |
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"

const fates = {
  "0001": "silent",
  "0002": "undelivered",
  "0003": "no-account",
  "0004": "expired",
  "0402": "insufficient-balance",
  "0480": "temporarily-unavailable",
  "0486": "busy",
  "0503": "unavailable",
  "0603": "declined"
} as const

export type Fate = (typeof fates)[keyof typeof fates] | "delivered"

const isChoice = (digits: string): digits is keyof typeof fates => Object.hasOwn(fates, digits)

/** The outcome that a number asks the sandbox for. */
export const fateOf = (to: E164): Fate => {
  const digits = to.slice(-4)
  return isChoice(digits) ? fates[digits] : "delivered"
}
