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
  chatgw_probe: "Chat gateway look-up",
  verify: "Verification"
}

export const channelName = (channel: string): string => CHANNELS[channel] ?? channel

/** In EUR, with decimals of a cent where it has some. */
export const euros = (price: number): string =>
  `€${price.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 5 })}`
