/**
 * How accounts, modes and channels are written as numbers. The numbers are in databases: they never change.
 *
 * A *tenant* is what one account does in one mode, a *partition* is the part of it on one channel. The lowest eight
 * bits of a partition are the code of its product (`@watchword/schemas/ChannelRegistry`), whose lowest bit is set where
 * records are listed by the time of their status. SQL reads these bits and names no channel:
 *
 * | wanted | SQL |
 * |---|---|
 * | the product's code | `partition & 255` |
 * | the time a record is listed by | `CASE WHEN partition & 1 = 1 THEN status_at ELSE created_at END` |
 * | a partition of a tenant | `tenant * 256 + code` |
 *
 * A store reads `ChannelRegistry` when it is made and works with `makePartitions(registry)`.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import { CODES, type Service as Registry } from "@watchword/schemas/ChannelRegistry"
import type { Delivery } from "../Delivery.ts"
import { StoreError } from "../StoreError.ts"
import * as Effect from "effect/Effect"

const modes = ["live", "sandbox"] as const satisfies ReadonlyArray<Mode>

export const modeCode = (mode: Mode): number => modes.indexOf(mode)
export const modeOf = (code: number): Mode => modes[code === 0 ? 0 : 1]

export const tenantOf = (account: number, mode: Mode): number => account * 2 + modeCode(mode)

export interface Partitions {
  readonly codeOf: (channel: Product) => number
  readonly channelOf: (code: number) => Product
  readonly partitionOf: (account: number, mode: Mode, channel: Product) => number
  readonly accountIn: (partition: number) => number
  readonly modeIn: (partition: number) => Mode
  readonly channelIn: (partition: number) => Product
  /** The time by which a record is listed unless asked otherwise; as in the column `listed_at`. */
  readonly listedAt: (delivery: Delivery) => number
}

/** The channel numbers of a registry. A record of another channel is a failure, see {@link reading}. */
export const makePartitions = (registry: Registry): Partitions => ({
  codeOf: registry.codeOf,
  channelOf: (code) => channelOf(registry, code),
  partitionOf: (account, mode, channel) => tenantOf(account, mode) * CODES + registry.codeOf(channel),
  accountIn: (partition) => Math.floor(partition / (2 * CODES)),
  modeIn: (partition) => modeOf(Math.floor(partition / CODES) % 2),
  channelIn: (partition) => channelOf(registry, partition % CODES),
  listedAt: (delivery) => delivery[registry.listedBy(delivery.channel)]
})

/** Reads records, and fails for records of a channel that the registry lacks. */
export const reading = <A>(read: () => A): Effect.Effect<A, StoreError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(read())
    } catch (error) {
      return error instanceof StoreError ? Effect.fail(error) : Effect.die(error)
    }
  })

const channelOf = (registry: Registry, code: number): Product => {
  try {
    return registry.productOf(code)
  } catch {
    const message =
      `The database has a record of product ${code >> 1}, whose channel this program lacks: ` +
      "ask the program that has the channel, by its service.operator."
    throw new StoreError({ reason: "Unavailable", message })
  }
}
