/**
 * Rates as rules write them: `5/1h` of sends, and `200/1d` of money.
 */
import * as Money from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import { LONGEST, toDuration } from "@watchword/schemas/Field"

/** So much within a time: sends, or micro-euros. */
export interface Rate {
  readonly most: number
  /** In milliseconds. */
  readonly window: number
}

const EUROS = /^[0-9.]+$/
const SENDS = /^[1-9][0-9]{0,8}$/

/** A rate of sends; `most` is NaN for a text that is not a rate. */
export const toRate = (text: string): Rate => read(text, (sends) => (SENDS.test(sends) ? Number(sends) : Number.NaN))

/** A rate of money, whose `most` is in micro-euros. */
export const toMoney = (text: string): Rate =>
  read(text, (euros) => (EUROS.test(euros) ? Option.getOrElse(Money.fromEuros(euros), () => Number.NaN) : Number.NaN))

export const isRate = (text: string): boolean => isWhole(toRate(text))
export const isMoney = (text: string): boolean => isWhole(toMoney(text))

const read = (text: string, amount: (text: string) => number): Rate => {
  const [most = "", time = "", ...more] = text.split("/")
  return { most: more.length > 0 ? Number.NaN : amount(most), window: toDuration(time) }
}

const isWhole = ({ most, window }: Rate): boolean => most > 0 && window <= LONGEST
