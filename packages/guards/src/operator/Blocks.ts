/**
 * Blocks: prefixes of numbers, and countries, that nothing is sent to for a time. An operator makes them in the night
 * of an attack, for an account or for all; a guard makes them where it finds pumping.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { spellings } from "@watchword/schemas/phone"
import * as Schema from "effect/Schema"
import * as Countries from "../internal/Countries.ts"

/** A block. Its place, a prefix such as `+2348`, a country such as `NG`, or `001`, is the key under which it is set. */
export const Block = Schema.Struct({
  /** The time of its end, in milliseconds since the epoch. */
  until: Schema.Int,
  by: Schema.Literals(["operator", "pumping"]),
  /** Set by the operator who ends a guard's block early: until its end the guard does not block the place again. */
  released: Schema.optionalKey(Schema.Literal(true))
})
export type Block = typeof Block.Type

/** Whether a block keeps sends from its place. */
export const holds = ({ released, until }: Block, now: number): boolean => released !== true && now < until

/** Whether the guard ignores a place, because an operator has ended its block. */
export const isReleased = (blocks: ReadonlyArray<ReadonlyMap<string, Block>>, place: string, now: number): boolean =>
  blocks.some((each) => {
    const block = each.get(place)
    return block?.released === true && now < block.until
  })

/** A block with its place. */
export interface Placed extends Block {
  readonly place: string
}

/** The block that holds for a number, an operator's before a guard's; null if none does. */
export const blockOf = (blocks: ReadonlyMap<string, Block>, to: E164, now: number): Placed | null => {
  let found: Placed | null = null
  for (const place of placesOf(to)) {
    const block = blocks.get(place)
    if (block === undefined || !holds(block, now)) continue
    if (block.by === "operator") return { ...block, place }
    found ??= { ...block, place }
  }
  return found
}

/**
 * The places that a number is in: its country, or that of numbers of none, and each of its prefixes; and its phone
 * under another spelling, whole: a prefix of that is also one of other phones.
 */
const placesOf = (to: E164): ReadonlyArray<string> => {
  const prefixes = Array.from({ length: to.length - 1 }, (_, digits) => to.slice(0, digits + 2))
  return [Countries.placeOf(to), ...prefixes, ...spellings(to).slice(1)]
}
