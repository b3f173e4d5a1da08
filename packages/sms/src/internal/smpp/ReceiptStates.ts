/**
 * The states that delivery receipts name: SMPP's words, other spellings of them, and a carrier's own words.
 *
 * Source: SMPP 3.4 §5.2.28 (message_state) and Appendix B (the words of the text), SMPP 5.0 §4.7.15 (SCHEDULED,
 * SKIPPED).
 */
import type { SmsStatus } from "@watchword/schemas/Sms"
import { type Fault, fault } from "@watchword/schemas/ConnectionUrl"
import * as Result from "effect/Result"

export interface State {
  readonly word: string
  /** Null for a word without a meaning that is known: it is not final, as another receipt may follow. */
  readonly status: SmsStatus | null
}

/** Words of one carrier, in capitals, and numbers that it writes as message_state, with their meanings. */
export type OwnStates = ReadonlyMap<string, SmsStatus>

/** By message_state. */
const byNumber: ReadonlyArray<State> = [
  { word: "SCHEDLD", status: "sent" },
  { word: "ENROUTE", status: "sent" },
  { word: "DELIVRD", status: "delivered" },
  { word: "EXPIRED", status: "undelivered" },
  { word: "DELETED", status: "undelivered" },
  { word: "UNDELIV", status: "undelivered" },
  { word: "ACCEPTD", status: "sent" },
  { word: "UNKNOWN", status: "sent" },
  { word: "REJECTD", status: "failed" },
  { word: "SKIPPED", status: "undelivered" }
]

/** The words of Appendix B. */
export const words: ReadonlyArray<string> = byNumber.slice(1, 9).map(({ word }) => word)

const byWord: ReadonlyMap<string, SmsStatus | null> = new Map([
  ...byNumber.map(({ word, status }) => [word, status] as const),
  // The names of message_state.
  ["SCHEDULED", "sent"],
  ["DELIVERED", "delivered"],
  ["UNDELIVERABLE", "undelivered"],
  ["UNDELIVERED", "undelivered"],
  ["ACCEPTED", "sent"],
  ["REJECTED", "failed"],
  ["FAILED", "failed"],
  // The carrier holds the message, or has handed it to another one.
  ["BUFFRED", "sent"],
  ["ACKED", "sent"]
])

/** The state that a word in capitals means. */
export const ofWord = (word: string, own: OwnStates): State => ({
  word,
  status: own.get(word) ?? byWord.get(word) ?? null
})

/** The state that a message_state means. */
export const ofNumber = (value: number, own: OwnStates): State => {
  const known = byNumber[value]
  const status = own.get(String(value))
  return status === undefined
    ? (known ?? { word: String(value), status: null })
    : { word: known?.word ?? String(value), status }
}

const LONGEST_WORD = 64
const MOST_WORDS = 100
const MEANINGS: ReadonlyArray<SmsStatus> = ["sent", "delivered", "undelivered", "failed"]

/** Reads `DND:undelivered,NACK:failed,9:undelivered`, the option of a carrier's URL. */
export const parse = (text: string): Result.Result<OwnStates, Fault> =>
  Result.gen(function* () {
    const states = new Map<string, SmsStatus>()
    for (const entry of text.split(",")) {
      const [, given = "", meaning] = /^\s*([^\s:;]+):([a-z]+)\s*$/i.exec(entry) ?? []
      const word = given.toUpperCase()
      const status = MEANINGS.find((each) => each === meaning?.toLowerCase())
      if (word === "" || word.length > LONGEST_WORD || status === undefined) return yield* fault("states", MUST)
      if (states.has(word)) return yield* fault("states", `has a "states" that gives ${word} twice; keep one of them`)
      const fixed = fixedMeaning(word)
      if (fixed !== undefined && fixed !== status) {
        return yield* fault(
          "states",
          `has a "states" that gives ${word} another meaning than SMPP, where it is ${fixed}; leave it out`
        )
      }
      states.set(word, status)
    }
    return states.size > MOST_WORDS ? yield* fault("states", MUST) : states
  })

const MUST =
  'has a wrong "states": it must be words of the carrier\'s receipts with what they mean (sent, delivered, undelivered or ' +
  `failed), as in DND:undelivered,NACK:failed,9:undelivered, and ${MOST_WORDS} at most`

/**
 * What SMPP 3.4 says that a word or a message_state means. UNKNOWN says nothing, and message_state 9 came with SMPP
 * 5.0.
 */
const fixedMeaning = (word: string): SmsStatus | undefined => {
  const state = byNumber.slice(1, 9).find((each, index) => each.word === word || String(index + 1) === word)
  return state === undefined || state.word === "UNKNOWN" ? undefined : (state.status ?? undefined)
}
