/**
 * How accounts, modes and channels are written as numbers. The numbers are in databases: they never change.
 *
 * A *tenant* is what one account does in one mode, a *partition* what it does there on one channel.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { Delivery } from "@watchword/store/Delivery"

const channels = ["call", "sms", "chatgw", "bizchat", "chatgw_probe"] as const satisfies ReadonlyArray<Product>
const modes = ["live", "sandbox"] as const satisfies ReadonlyArray<Mode>

export const channelCode = (channel: Product): number => channels.indexOf(channel)
export const modeCode = (mode: Mode): number => modes.indexOf(mode)
export const modeOf = (code: number): Mode => modes[code === 0 ? 0 : 1]

export const tenantOf = (account: number, mode: Mode): number => account * 2 + modeCode(mode)
export const partitionOf = (account: number, mode: Mode, channel: Product): number =>
  tenantOf(account, mode) * 8 + channelCode(channel)

/** The account's number, the mode and the channel of a partition. */
export const accountIn = (partition: number): number => Math.floor(partition / 16)
export const modeIn = (partition: number): Mode => modeOf(Math.floor(partition / 8) % 2)
export const channelIn = (partition: number): Product => channels[partition % 8] ?? "call"

/** The time by which a record is listed unless asked otherwise; the column `listed_at` says the same. */
export const listedAt = ({ channel, createdAt, statusAt }: Delivery): number =>
  channel === "sms" ? statusAt : createdAt
