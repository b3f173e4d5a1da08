/**
 * Odds that a guesser passes verifications, as tables in Markdown: `npm run odds`, or `npm run odds -- --endings=2500`
 * for a pool of one's own.
 *
 * The code is any of 10^length with the same chance, and a call's caller any ending of the pool; the guesser knows the
 * pool and repeats no guess. A resend carries the same code, so only guesses count, and calls.
 */
import { parseArgs } from "node:util"

/** What bounds the guesses at one verification. */
export interface Verification {
  /** How many codes there are. */
  readonly codes: number
  /** Guesses that are compared. */
  readonly attempts: number
  /** Calls, each from a number that is drawn again; guesses are compared with all of them. */
  readonly calls: number
  /** Different endings of the pool that calls come from. */
  readonly endings: number
}

/** Guesses that are left once a call was made. */
export const CALL_ATTEMPTS = 3

/** The chance to pass one verification. */
export const chanceOf = ({ attempts, calls, codes, endings }: Verification): number => {
  const missesCode = 1 - Math.min(attempts, codes) / codes
  const missesCall = calls === 0 ? 1 : 1 - Math.min(attempts, CALL_ATTEMPTS, endings) / endings
  return 1 - missesCode * missesCall ** calls
}

/** The chance to pass at least one of so many verifications. */
export const chanceOfAny = (chance: number, verifications: number): number =>
  -Math.expm1(verifications * Math.log1p(-chance))

/** The verifications after which a guesser has passed one with a chance of one half. */
export const evenOddsAfter = (chance: number): number => Math.ceil(Math.LN2 / -Math.log1p(-chance))

const LENGTHS = [4, 5, 6, 7, 8]
const ATTEMPTS = Array.from({ length: 10 }, (_, index) => index + 1)
const POOLS = [1_000, 2_000, 5_000, 10_000, 100_000]
const VERIFICATIONS = [100, 1_000, 10_000, 100_000, 1_000_000]
const DEFAULTS = { attempts: 5, calls: 0, endings: 1 }

const ofLength = (length: number, more: Partial<Verification> = {}): number =>
  chanceOf({ ...DEFAULTS, codes: 10 ** length, ...more })

const whole = (value: number): string => Math.round(Number(value.toPrecision(3))).toLocaleString("en")

const oneIn = (chance: number): string => `1 in ${whole(1 / chance)}`

const percent = (chance: number): string => {
  const value = 100 * chance
  return `${value > 99.9 ? "> 99.9" : value < 0.01 ? "< 0.01" : String(Number(value.toPrecision(2)))} %`
}

const table = (
  [first, ...headings]: ReadonlyArray<string>,
  rows: ReadonlyArray<readonly [number, ReadonlyArray<string>]>
): string =>
  [
    `| ${[first, ...headings].join(" | ")} |`,
    `|${"---:|".repeat(1 + headings.length)}`,
    ...rows.map(([name, cells]) => `| ${[name.toLocaleString("en"), ...cells].join(" | ")} |`)
  ].join("\n")

const digits = LENGTHS.map((length) => `${length} digits`)

/** The tables of docs/papers/odds.md. */
export const tables = {
  one: table(
    ["guesses", ...digits],
    ATTEMPTS.map((attempts) => [attempts, LENGTHS.map((length) => oneIn(ofLength(length, { attempts })))])
  ),
  many: table(
    ["verifications", ...digits],
    VERIFICATIONS.map((count) => [count, LENGTHS.map((length) => percent(chanceOfAny(ofLength(length), count)))])
  ),
  calls: callTable(POOLS)
}

/** Odds with a code of six digits, five guesses, and calls from pools of so many endings. */
export function callTable(pools: ReadonlyArray<number>): string {
  return table(
    ["endings", "1 call", "2 calls", "5 calls", "even odds after (1 call)"],
    pools.map((endings) => [
      endings,
      [
        ...[1, 2, 5].map((calls) => oneIn(ofLength(6, { calls, endings }))),
        `${whole(evenOddsAfter(ofLength(6, { calls: 1, endings })))} verifications`
      ]
    ])
  )
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { endings: { type: "string" } } })
  const endings = Number(values.endings ?? "1")
  if (!Number.isSafeInteger(endings) || endings < 1) throw new RangeError("--endings must be a whole number from 1 on")
  const parts = values.endings === undefined ? Object.values(tables) : [callTable([endings])]
  console.log(parts.join("\n\n"))
}
