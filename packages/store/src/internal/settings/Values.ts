/**
 * Values of an owner's settings as they were read, and values computed from them.
 *
 * A value that is stored and cannot be read was written by another version: its owner must not go without it. The error
 * names it without the key, which may be a phone number.
 */
import { StoreError } from "../../StoreError.ts"
import * as Result from "effect/Result"
import type { Family, Setting } from "../../Setting.ts"

export interface Values {
  /** A setting; undefined if it is not set. */
  readonly get: <A>(setting: Setting<A>) => Result.Result<A | undefined, StoreError>

  /** The settings of a family by their keys, in the order of the keys' code points. */
  readonly all: <A>(family: Family<A>) => Result.Result<ReadonlyMap<string, A>, StoreError>
}

/**
 * Computes a service's value from the settings of an account and of the installation.
 *
 * @param at milliseconds since the epoch
 */
export type Derive<A> = (own: Values, common: Values, at: number) => Result.Result<A, StoreError>

/** @param texts of values, by the names of settings */
export const values = (texts: ReadonlyMap<string, string>): Values => ({
  get: <A>(setting: Setting<A>) => {
    const text = texts.get(setting.name)
    return text === undefined ? unset : Result.mapError(setting.read(text), () => unreadable(setting.name))
  },
  all: (family) => Result.mapError(family.members(texts), unreadable)
})

const unset = Result.succeed(undefined)

const unreadable = (name: string): StoreError =>
  new StoreError({ reason: "Unavailable", message: `The setting ${name.replace(/:.*$/s, "")} cannot be read.` })
