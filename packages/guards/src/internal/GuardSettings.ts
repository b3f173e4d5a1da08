/**
 * Settings of guards: the rules of an account, and the blocks and exceptions of an account or of the whole installation.
 */
import { E164, isCountry } from "@watchword/schemas/PhoneNumber"
import * as Setting from "@watchword/store/Setting"
import * as Schema from "effect/Schema"
import { Block } from "./Blocks.ts"
import { Prefix, Rules } from "../Rules.ts"

/** The rules of an account, in place of the installation's. */
export const rules = Setting.make({ name: "guards", title: "guard", schema: Rules })

/** The most blocks of an account, and of the installation; and the most exceptions. */
const MOST = 1_000

/** Blocks by their places. */
export const blocks = Setting.family({ prefix: "block:", title: "block", most: MOST, schema: Block })

/** Numbers that pass whatever the rules and blocks say. */
export const exceptions = Setting.family({
  prefix: "allow:",
  title: "exception",
  most: MOST,
  schema: Schema.Literal(true)
})

const isPrefix = Schema.is(Prefix)

/** Whether a text names a place that can be blocked: a prefix of numbers, or a country. */
export const isPlace = (text: string): boolean => isPrefix(text) || isCountry(text)

/** Whether a text is a number that can be an exception. */
export const isNumber = Schema.is(E164)
