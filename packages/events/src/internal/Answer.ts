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

/** @param url of the endpoint */
export const inSentence = (words: string, url: string): string => {
  if (/^\d+$/.test(words)) return `answered ${words}`
  if (words === PRIVATE) return `no answer: ${PRIVATE_REFUSED}`
  return words.startsWith(UNRESOLVED) ? `no answer: the name ${new URL(url).hostname} ${words}` : `no answer: ${words}`
}
