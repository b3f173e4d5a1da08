/**
 * Answers of endpoints: in the few words that the store keeps, and in a sentence for operators.
 */
import { PRIVATE_REFUSED, type WebhookAnswer } from "./WebhookSender.ts"

const PRIVATE = "private address"
const UNRESOLVED = "does not resolve"

/** Such as `204`, `timeout` or `ECONNREFUSED`. */
export const inWords = (answer: WebhookAnswer): string => {
  switch (answer._tag) {
    case "Answered":
      return String(answer.status)
    case "Refused":
      return PRIVATE
    case "Unresolved":
      return `${UNRESOLVED} (${answer.why})`
    case "Unanswered":
      return answer.why
  }
}

/** Recorded instead of an answer: the process that took the event has not read the endpoint yet, and tries again. */
export const NOT_READ_YET = "unknown"

/** Whether an event was taken, by the words of its answer: any 2xx takes it. */
export const isTaken = (words: string): boolean => /^2\d\d$/.test(words)

/** The parts of an answer that the store keeps. */
export interface Kept {
  readonly words: string
  /** Milliseconds; null if no request was made. */
  readonly took: number | null
  /** The beginning of a body that explains a failure; null without a body. */
  readonly said: string | null
}

/** The most characters of a body that are kept. */
const MOST_SAID = 200

/** One text of it, its parts on lines of their own. */
export const kept = ({ said, took, words }: Kept): string =>
  [words, ...(took === null ? [] : [String(took)]), ...(took === null || said === null ? [] : [said])].join("\n")

/** Reads a kept answer. Older programs kept only its words. */
export const read = (text: string): Kept => {
  const [words = "", took, said] = text.split("\n")
  return { words, took: took === undefined ? null : Number(took), said: said ?? null }
}

/**
 * The body of a failure in one line. It outlives an erasure by days, so it has no digits of codes and numbers.
 */
export const saidOf = (answer: WebhookAnswer): string | null => {
  if (answer._tag !== "Answered" || answer.said === undefined) return null
  const line = answer.said.replaceAll(CONTROLS, " ").replaceAll(/\d{4,}/g, "…")
  return line.length > MOST_SAID ? `${line.slice(0, MOST_SAID).toWellFormed()}…` : line
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** @param url of the endpoint */
export const inSentence = (words: string, url: string): string => {
  if (/^\d+$/.test(words)) return `answered ${words}`
  if (words === PRIVATE) return `no answer: ${PRIVATE_REFUSED}`
  return words.startsWith(UNRESOLVED) ? `no answer: the name ${new URL(url).hostname} ${words}` : `no answer: ${words}`
}
