/**
 * Money: whole micro-euros inside, a JSON number of euros on the wire. Never a float in between.
 */
import * as Brand from "effect/Brand"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** An amount in micro-euros (10⁻⁶ EUR), a safe integer. */
export const MicroEuros = Schema.Int.pipe(Schema.brand("MicroEuros"))
export type MicroEuros = typeof MicroEuros.Type

/** An amount of more than nothing, which a credit or a debit has. */
export const PositiveMicroEuros = MicroEuros.check(Schema.isGreaterThan(0)).pipe(Schema.brand("PositiveMicroEuros"))
export type PositiveMicroEuros = typeof PositiveMicroEuros.Type

export const zero: MicroEuros = MicroEuros.make(0)

const branded = Brand.nominal<MicroEuros>()

// The schema's check without the schema, which makes the error: several amounts are calculated for each send.
const whole = (amount: number): MicroEuros => (Number.isSafeInteger(amount) ? branded(amount) : MicroEuros.make(amount))

/** The sum of two amounts. */
export const sum = (a: MicroEuros, b: MicroEuros): MicroEuros => whole(a + b)

/** The difference of two amounts. */
export const difference = (a: MicroEuros, b: MicroEuros): MicroEuros => whole(a - b)

/** An amount taken `times` times, for example a price per part. */
export const multiply = (amount: MicroEuros, times: number): MicroEuros => whole(amount * times)

const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/

/**
 * Reads euros from a decimal text or a number: at most nine digits before the point and six behind it.
 *
 * @example
 * ```ts
 * import * as Money from "@watchword/schemas/Money"
 *
 * Money.fromEuros("0.05") // Option.some(50_000)
 * Money.fromEuros(0.1 + 0.2) // Option.none(): more than six decimals
 * ```
 */
export const fromEuros = (euros: string | number): Option.Option<MicroEuros> => {
  const match = DECIMAL.exec(typeof euros === "number" ? plainDecimal(euros) : euros.trim())
  if (match === null) return Option.none()
  const [, sign, whole = "0", fraction = ""] = match
  const micro = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, "0"))
  return Option.some(MicroEuros.make(sign === "-" && micro !== 0 ? -micro : micro))
}

// JavaScript writes small numbers as 1e-7 and 0.000001 as 0.000001: only the former needs help.
const plainDecimal = (value: number): string => {
  const text = String(value)
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text
}

/** Euros as the JSON number that bodies carry; exact to the micro-euro. */
export const toEuros = (amount: MicroEuros): number => amount / 1_000_000
