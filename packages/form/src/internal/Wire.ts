/**
 * What the form and its handler say to each other: JSON, by GET and POST of one address.
 */

/** Where a user is: entering a number, entering a code, done, or at an end from which they start again. */
export type Stage = "number" | "code" | "approved" | "ended"

/** What keeps a user from going on. Each has its text in {@link Texts}. */
export type Reason =
  | "number_missing"
  | "number_impossible"
  | "number_ambiguous"
  | "number_extension"
  | "number_refused"
  | "country_not_allowed"
  | "code_incomplete"
  | "code_letters"
  | "wrong_code"
  | "too_soon"
  | "too_many"
  | "no_sends"
  | "no_way"
  | "no_checks"
  | "expired"
  | "ended"
  | "undeliverable"
  | "session_ended"
  | "unavailable"
  | "offline"

/** A reason, and the seconds after which the same may succeed, where waiting helps. */
export interface Problem {
  readonly reason: Reason
  readonly wait: number | null
}

/** A number in E.164 form and as people write it. */
export interface Readable {
  readonly number: string
  readonly written: string
}

/** A verification as its user may see it. Times are seconds from now, so that no two clocks need to agree. */
export interface Sent {
  readonly id: string
  readonly to: Readable
  /** The channel of the current step, such as `sms`. */
  readonly channel: string
  readonly step: number
  /** The channel of another step, `other` where the handler does not know which, null without one. */
  readonly other: string | null
  readonly resend_in: number
  /** When the next step is taken by itself; null where none will be. */
  readonly next_in: number | null
  readonly expires_in: number
  readonly sends_left: number
  readonly checks_left: number
  readonly code_length: number
}

/** Every answer of the handler to the form. */
export interface Answer {
  readonly stage: Stage
  readonly sent: Sent | null
  readonly problem: Problem | null
  /** The numbers that a text may mean, where it can be read as several. */
  readonly readings: ReadonlyArray<Readable>
  /** The country in which numbers without a calling code are dialled, where the handler knows it. */
  readonly country: string | null
  /** Where the app goes on after an approval; null where the form stays. */
  readonly location: string | null
}

/** What the form asks of the handler. */
export type Ask =
  | { readonly action: "start"; readonly to: string; readonly country: string; readonly language: string }
  | { readonly action: "check"; readonly id: string; readonly code: string }
  | { readonly action: "resend" | "other"; readonly id: string }
  | { readonly action: "state"; readonly id: string | null }

/** The answer that a body has; null for anything else, such as the page of a proxy. */
export const answerOf = (body: unknown): Answer | null => (isAnswer(body) ? body : null)

// The handler is of the same version: what tells its answers from others is enough.
const isAnswer = (body: unknown): body is Answer =>
  typeof body === "object" && body !== null && "stage" in body && "sent" in body && "problem" in body
