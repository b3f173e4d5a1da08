/**
 * What people call channels, and the drawing of each.
 */
import type { IconName } from "./Icon.tsx"

/** The drawing of a channel; one of an installation's own has that of all others. */
export const iconOf = (channel: string): IconName =>
  channel === "sms" || channel === "chatgw" || channel === "bizchat" || channel === "call" ? channel : "other"

const CHANNELS: Readonly<Record<string, string>> = {
  sms: "SMS",
  call: "Flash call",
  chatgw: "Chat gateway",
  bizchat: "Business chat",
  receive: "User acts first",
  chatgw_probe: "Chat gateway look-up",
  verify: "Verification"
}

export const channelName = (channel: string): string => CHANNELS[channel] ?? channel

/** The decimals of a cent and of a micro-euro. */
const LEAST = 2
const MOST = 6

/**
 * In EUR, with decimals of a cent where it has some.
 *
 * @param decimals how many there are at least: amounts below each other have as many as {@link decimalsOf} them
 */
export const euros = (amount: number, decimals = LEAST): string =>
  amount.toLocaleString("en", {
    style: "currency",
    currency: "EUR",
    minimumFractionDigits: decimals,
    maximumFractionDigits: MOST,
    signDisplay: "negative"
  })

/** How many decimals the amounts of a column need. */
export const decimalsOf = (amounts: ReadonlyArray<number>): number =>
  Math.max(LEAST, ...amounts.map((amount) => euros(amount).split(".")[1]?.length ?? 0))
