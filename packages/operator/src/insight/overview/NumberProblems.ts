/**
 * Attacks on one number: codes asked for again and again, and codes guessed over many verifications.
 *
 * Sentences have the number masked, because alarms carry them to chats and mailboxes; only the act has all of it.
 */
import { type E164, countryOf, masked } from "@watchword/schemas/PhoneNumber"
import type { Problem } from "./Problem.ts"
import { LIMITS } from "./ProblemRules.ts"
import type { Verification } from "./Unverified.ts"

export interface NumberFacts {
  /** Verifications of the last hour whose codes were sent. */
  readonly codes: ReadonlyArray<Verification>
  /** The number of each verification that guards refused. */
  readonly refused: ReadonlyArray<E164>
  /** Places that are blocked for all accounts. */
  readonly blocked: ReadonlyArray<string>
}

export const numberProblems = ({ blocked, codes, refused }: NumberFacts): ReadonlyArray<Problem> => {
  const refusals = Map.groupBy(refused, (to) => to)
  const sent = Map.groupBy(codes, ({ to }) => to)
  return [...new Set([...sent.keys(), ...refusals.keys()])]
    .filter((number) => !blocked.some((place) => number.startsWith(place) || countryOf(number) === place))
    .flatMap((number) => ofNumber(number, sent.get(number) ?? [], refusals.get(number)?.length ?? 0))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, SHOWN)
    .map(({ problem }) => problem)
}

/** Behind these, a block of a number at a time is not the way. */
const SHOWN = 5

const ofNumber = (number: E164, sent: ReadonlyArray<Verification>, refused: number) => {
  const asked = sent.length + refused
  const guessed = sent.filter(({ isGuessed }) => isGuessed).length
  const of = (kind: "flooding" | "guessing", text: string) => ({
    count: kind === "flooding" ? asked : guessed,
    problem: {
      kind,
      about: masked(number),
      severity: "bad",
      text,
      link: "#/guards",
      act: { command: "guard block", label: `Block ${masked(number)}`, input: { place: number, for: "12h" } }
    } satisfies Problem
  })
  if (guessed >= LIMITS.number.guessed) {
    return [
      of(
        "guessing",
        `Wrong codes used up all checks of ${guessed} verifications of ${masked(number)} in the last hour.`
      )
    ]
  }
  if (asked < LIMITS.number.asked || sent.some(({ isApproved }) => isApproved)) return []
  const how = refused === 0 ? "guards refused no request" : `guards refused ${refused} of them`
  return [
    of(
      "flooding",
      `Codes for ${masked(number)} were asked for ${asked} times in the last hour, and none was entered; ${how}.`
    )
  ]
}
