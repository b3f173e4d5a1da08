/**
 * Words for the interface's codes.
 */
import type { PhoneMessage, Verification } from "@watchword/client"
import { countdown, secondsTo } from "../kit/clock.ts"
import { channelName } from "../kit/channels.ts"

const APPS: Readonly<Record<string, string>> = { sms: "Messages", chatgw: "Chat", bizchat: "Business" }

/** The phone's name for the app of a channel. */
export const appName = (channel: string): string => APPS[channel] ?? channelName(channel)

/** The name of the sender that the phone shows. */
export const senderOf = ({ channel, from }: PhoneMessage): string => from ?? SENDERS[channel] ?? appName(channel)

const SENDERS: Readonly<Record<string, string>> = { chatgw: "Codes", bizchat: "Business" }

/** Messages that have vanished from the phone. */
const GONE: Readonly<Record<string, string>> = {
  expired: "This code has expired.",
  revoked: "This message was revoked."
}

export const goneOf = ({ state }: PhoneMessage): string | null => GONE[state] ?? null

export const wordsOf = (message: PhoneMessage): string =>
  goneOf(message) ?? message.text ?? (message.code === null ? "A message" : `Your code is ${message.code}.`)

const ENDED: Readonly<Record<string, string>> = {
  approved: "Approved",
  failed: "Failed",
  expired: "Expired",
  canceled: "Canceled",
  blocked: "Blocked by a guard"
}

const REASONS: Readonly<Record<string, string>> = {
  max_checks: "too many wrong codes",
  undeliverable: "every step failed"
}

/** The state of a verification, in a line. */
export const standingOf = ({ checks_left: checks, expires_at: end, reason, status }: Verification): string => {
  if (status !== "pending") {
    const words = ENDED[status] ?? status
    return reason === null ? words : `${words}: ${REASONS[reason] ?? reason.replaceAll("_", " ")}`
  }
  return `Valid for ${countdown(secondsTo(end))}, ${checks} ${checks === 1 ? "check" : "checks"} left`
}
