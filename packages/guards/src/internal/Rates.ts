/**
 * Rates and times as rules write them: `5/1h`, `200/1d` and `12h`.
 */
import * as Money from "@watchword/schemas/Money"
import * as Option from "effect/Option"

const SECOND = 1000
export const DAY = 86_400 * SECOND

/** The longest time of a rate: counters keep it that long. */
const LONGEST = 30 * DAY

const units: Readonly<Record<string, number>> = { s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: DAY }

/** So much within a time: sends, or micro-euros. */
export interface Rate {
  readonly most: number
  /** In milliseconds. */
  readonly window: number
}

const DURATION = /^([1-9][0-9]{0,6})([smhd])$/
const EUROS = /^[0-9.]+$/
const SENDS = /^[1-9][0-9]{0,8}$/

/** Milliseconds of a time; NaN for a text that is none. */
export const toDuration = (text: string): number => {
  const [, count, unit = ""] = DURATION.exec(text) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}

export const isDuration = (text: string): boolean => toDuration(text) <= LONGEST

/** A rate of sends; `most` is NaN for a text that is none. */
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
