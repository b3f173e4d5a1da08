/**
 * All rules, by when they hold: always, when verifications have come to their ends, when everything has, and after
 * numbers were erased.
 */
import type { Evidence, Violation } from "../Evidence.ts"
import { answers } from "./answers.ts"
import { audited, forgotten, listed } from "./database.ts"
import { events } from "./events.ts"
import { limits } from "./limits.ts"
import * as messages from "./messages.ts"
import * as programs from "./programs.ts"
import * as verifications from "./verifications.ts"

type Rule = (evidence: Evidence) => ReadonlyArray<Violation>

const RULES = {
  always: [
    answers,
    audited,
    limits,
    messages.once,
    messages.recorded,
    programs.alive,
    programs.foreseen,
    programs.discreet,
    verifications.acted,
    verifications.approvedOnce,
    verifications.guesses,
    verifications.sends,
    verifications.oneCode,
    verifications.started
  ],
  verified: [verifications.final, verifications.nothingAfterTheEnd, verifications.attempts],
  "at rest": [
    events,
    listed,
    messages.ended,
    messages.chargedForSomething,
    messages.paidFor,
    messages.asAnswered,
    verifications.settled
  ],
  erased: [forgotten]
} satisfies Readonly<Record<string, ReadonlyArray<Rule>>>

export type When = keyof typeof RULES

/** What breaks the rules of a moment. */
export const broken = (when: When, evidence: Evidence): ReadonlyArray<Violation> =>
  RULES[when].flatMap((rule) => rule(evidence))
