/**
 * Phones that networks and platforms know by two numbers; both numbers reach the same phone.
 *
 * - Argentina: a mobile number with the 9 of calls from abroad, and without it.
 * - Brazil: a mobile number with the ninth digit, and without it.
 * - Mexico: a mobile number with the 1 of calls from abroad, and without it.
 *
 * Source: Meta, WhatsApp Cloud API, "Phone numbers", "Brazilian, Argentinian and Mexican phone numbers";
 * libphonenumber's FAQ.
 */

interface Pair {
  /** The number by which the phone is counted: the spelling that its country documents. */
  readonly documented: RegExp
  readonly toOther: string
  readonly other: RegExp
  readonly toDocumented: string
}

const argentina: Pair = {
  documented: /^\+549([123]\d{9})$/,
  toOther: "+54$1",
  other: /^\+54([123]\d{9})$/,
  toDocumented: "+549$1"
}

const brazil: Pair = {
  documented: /^\+55([1-9][1-9])9([6-9]\d{7})$/,
  toOther: "+55$1$2",
  other: /^\+55([1-9][1-9])([6-9]\d{7})$/,
  toDocumented: "+55$19$2"
}

const mexico: Pair = {
  documented: /^\+52([2-9]\d{9})$/,
  toOther: "+521$1",
  other: /^\+521([2-9]\d{9})$/,
  toDocumented: "+52$1"
}

const pairs: Readonly<Record<string, Pair>> = { "+52": mexico, "+54": argentina, "+55": brazil }

const pairOf = (number: string): Pair | undefined => pairs[number.slice(0, 3)]

/** The spelling under which a phone is counted: the one its country documents. Other numbers are unchanged. */
export const phoneOf = (number: string): string => {
  const pair = pairOf(number)
  return pair === undefined ? number : number.replace(pair.other, pair.toDocumented)
}

/** Every number of the phone that a number reaches, this one first. */
export const spellings = (number: string): ReadonlyArray<string> => {
  const pair = pairOf(number)
  if (pair === undefined) return [number]
  if (pair.documented.test(number)) return [number, number.replace(pair.documented, pair.toOther)]
  return pair.other.test(number) ? [number, number.replace(pair.other, pair.toDocumented)] : [number]
}
