/**
 * The actions of users who act first, in words.
 */
import type { ReceiveForm, ReceivedResult } from "@watchword/schemas/Verification"

/** An action of a user, as its verification keeps it. */
export interface UserAction {
  readonly by: ReceiveForm
  readonly result: ReceivedResult
  readonly assurance: string
}

const ACTIONS: Readonly<Record<ReceiveForm, string>> = {
  telegram_login: "a sign-in with Telegram",
  sms: "a text",
  call: "a call",
  bizchat: "a WhatsApp message"
}

const RESULTS: Readonly<Record<ReceivedResult, string>> = {
  approved: "from the number, which approved the verification",
  replied: "from the number, and a code was sent back, which the user has to enter",
  other_number: "from another number: someone has passed it on, and it proves nothing any more",
  not_shared: "without a number, because the user did not share it",
  weak: "from the number, but less sure than the verification asks for",
  ambiguous: "that fits several verifications, so that it approved no verification",
  not_replied: "from the number, but no code was sent back: a guard refused it, or no send was left"
}

/** A user's action in a sentence without its stop. */
export const inWords = ({ assurance, by, result }: UserAction): string =>
  `${ACTIONS[by]} came ${RESULTS[result]} (${assurance})`

/** The forms that a user was offered, with their numbers. */
export const asked = (forms: Readonly<Record<string, string | null>>): string =>
  Object.entries(forms)
    .map(([form, number]) => `${form}${number === null ? "" : ` to ${number}`}`)
    .join(", ")
