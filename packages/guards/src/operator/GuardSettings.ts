/**
 * Settings of guards: the rules of an account, and the blocks and exceptions of an account or of the whole
 * installation.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Setting from "@watchword/store/Setting"
import * as Schema from "effect/Schema"
import { Block } from "./Blocks.ts"
import * as Countries from "../internal/Countries.ts"
import { Prefix, Rules } from "../Rules.ts"

/** The rules of an account, instead of the installation's. */
export const rules = Setting.make({ name: "guards", title: "guard", schema: Rules })

/** The most blocks of an account, and of the installation; and the most exceptions. */
const MOST = 1_000

/** Blocks by their places. */
export const blocks = Setting.family({ prefix: "block:", title: "block", most: MOST, schema: Block })

/** A number that rules and blocks let through: until it is taken away, or a time in milliseconds since the epoch. */
const Exception = Schema.Union([Schema.Literal(true), Schema.Struct({ until: Schema.Int })])
export type Exception = typeof Exception.Type

/** Exceptions by their numbers. */
export const exceptions = Setting.family({ prefix: "allow:", title: "exception", most: MOST, schema: Exception })

/** The most passes of an account, and of the installation. */
const MOST_PASSES = 100

/**
 * Exceptions for a day, by their numbers, which support makes: they have a family of their own, so that they fill none.
 */
export const passes = Setting.family({
  prefix: "pass:",
  title: "pass",
  most: MOST_PASSES,
  schema: Schema.Struct({ until: Schema.Int })
})

/** The end of an exception in milliseconds since the epoch. */
export const endOf = (exception: Exception): number => (exception === true ? Number.POSITIVE_INFINITY : exception.until)

const isPrefix = Schema.is(Prefix)

/** Whether a text names a place that can be blocked: a prefix of numbers, a country, or `001` for numbers of none. */
export const isPlace = (text: string): boolean => isPrefix(text) || Countries.isPlace(text)

/** Whether a text is a number that can be an exception. */
export const isNumber = Schema.is(E164)
