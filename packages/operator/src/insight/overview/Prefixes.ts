/**
 * Codes that were entered and codes that were not, summed by country and by prefixes of numbers: in an attack, no one
 * enters the codes to a place.
 */
import { type E164, callingCodeOf, countryOf } from "@watchword/schemas/PhoneNumber"
import { LIMITS } from "./ProblemRules.ts"

/** A verification whose code was sent. */
export interface Sent {
  readonly to: E164
  readonly isApproved: boolean
}

export interface Sum {
  readonly unverified: number
  readonly approved: number
}

export interface PrefixSum extends Sum {
  /** The first digits of numbers, with the plus sign. */
  readonly prefix: string
}

export interface CountrySum extends Sum {
  /** ISO 3166-1 alpha-2, or `001` for numbers of no country. */
  readonly country: string
  /** Where in the country they are, the most codes that were not entered first. */
  readonly prefixes: ReadonlyArray<PrefixSum>
}

export interface Attack extends Sum {
  readonly country: string
  /** Null if it is the whole country's codes that are not entered. */
  readonly prefix: string | null
}

/** Places with fewer codes that were not entered are left out, and places behind the first ones. */
const FLOOR = 5
const COUNTRIES = 20
const PREFIXES = 10

/** A prefix gets longer while it loses no more than a tenth of its codes. */
const KEPT = 0.9

/** The digits at the end of a number that are of no prefix. */
const OWN = 4

/** The place of numbers of no country. */
export const NO_COUNTRY = "001"

/** The countries with the most codes that were not entered. */
export const countries = (all: ReadonlyArray<Sent>): ReadonlyArray<CountrySum> =>
  byCountry(all)
    .map(({ country, of, root }) => ({ country, ...sumOf(of), prefixes: prefixesOf(of, root) }))
    .filter(({ unverified }) => unverified >= FLOOR)
    .toSorted(mostFirst)
    .slice(0, COUNTRIES)

/** Countries whose codes are hardly ever entered; in other countries, the widest prefixes of which it is so. */
export const attacks = (all: ReadonlyArray<Sent>): ReadonlyArray<Attack> =>
  byCountry(all)
    .flatMap(({ country, of, root }) =>
      suspects(of, root).map(({ of, prefix }) => {
        if (prefix === root) return { country, prefix: null, ...sumOf(of) }
        const narrow = narrowed(of, prefix)
        return { country, prefix: narrow, ...sumOf(of.filter(({ to }) => to.startsWith(narrow))) }
      })
    )
    .toSorted(mostFirst)

interface Node {
  readonly prefix: string
  readonly of: ReadonlyArray<Sent>
}

const byCountry = (all: ReadonlyArray<Sent>) =>
  [...Map.groupBy(all, ({ to }) => countryOf(to) ?? NO_COUNTRY)].map(([country, of]) => {
    const [first] = of
    const code = country === NO_COUNTRY || first === undefined ? null : callingCodeOf(first.to)
    return { country, of, root: `+${code ?? ""}` }
  })

const suspects = (of: ReadonlyArray<Sent>, prefix: string): ReadonlyArray<Node> => {
  const { approved, unverified } = sumOf(of)
  const { entered, unentered } = LIMITS.attack
  if (unverified < unentered) return []
  if (approved <= entered * of.length) return [{ of, prefix }]
  return childrenOf(of, prefix).flatMap((child) => suspects(child.of, child.prefix))
}

const prefixesOf = (of: ReadonlyArray<Sent>, root: string): ReadonlyArray<PrefixSum> => {
  const prefix = narrowed(of, root)
  const parts = childrenOf(of, prefix)
    .map((child) => narrowed(child.of, child.prefix))
    .map((prefix) => ({ prefix, ...sumOf(of.filter(({ to }) => to.startsWith(prefix))) }))
    .filter(({ unverified }) => unverified >= FLOOR)
    .toSorted(mostFirst)
    .slice(0, PREFIXES)
  return parts.length > 0 ? parts : [{ prefix, ...sumOf(of.filter(({ to }) => to.startsWith(prefix))) }]
}

/** The longest prefix that has hardly fewer codes that were not entered than the given one. */
const narrowed = (of: ReadonlyArray<Sent>, prefix: string): string => {
  const [most] = childrenOf(of, prefix).toSorted((a, b) => mostFirst(sumOf(a.of), sumOf(b.of)))
  if (most === undefined || sumOf(most.of).unverified < KEPT * sumOf(of).unverified) return prefix
  return narrowed(most.of, most.prefix)
}

/** The numbers behind a prefix by their next digit. */
const childrenOf = (of: ReadonlyArray<Sent>, prefix: string): ReadonlyArray<Node> => {
  const length = prefix.length + 1
  const longer = of.filter(({ to }) => to.length - OWN >= length)
  return [...Map.groupBy(longer, ({ to }) => to.slice(0, length))].map(([prefix, of]) => ({ prefix, of }))
}

const sumOf = (of: ReadonlyArray<Sent>): Sum => {
  const approved = of.filter(({ isApproved }) => isApproved).length
  return { unverified: of.length - approved, approved }
}

const mostFirst = (a: Sum, b: Sum): number => b.unverified - a.unverified
