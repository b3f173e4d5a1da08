/**
 * The protocol between the form and its handler: JSON over GET and POST of one address.
 */

/** Where a user is: entering a number, entering a code, done, or at an end from which they start again. */
export type Stage = "number" | "code" | "approved" | "ended"

/** Why a user cannot continue. Each reason has a text in {@link Texts}. */
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

/** A QR code: the modules that are black, as the path of an SVG whose sides have `size` modules. */
export interface QrCode {
  readonly size: number
  readonly path: string
}

/** A way for the user to act first, as the verification presents it. */
export interface Way {
  /** Its form, such as `sms`. */
  readonly by: string
  /** The number to write to or to call; null for a sign-in. */
  readonly number: Readable | null
  /** The link that does it. */
  readonly uri: string
  /** The text that the link sends; null if it sends no text. */
  readonly text: string | null
  readonly qr: QrCode | null
}

/** A verification as its user may see it. Times are seconds from now, so that no two clocks need to agree. */
export interface Sent {
  readonly id: string
  readonly to: Readable
  /** The channel of the current step, such as `sms`. */
  readonly channel: string
  readonly step: number
  /** The channel of the next step; `other` if the handler does not know the channel, null if there is no next step. */
  readonly other: string | null
  readonly resend_in: number
  /** When the service takes the next step on its own; null if it will not. */
  readonly next_in: number | null
  readonly expires_in: number
  readonly sends_left: number
  readonly checks_left: number
  readonly code_length: number
  /** Whether there is a code to enter: at a step at which the user acts first it may come later. */
  readonly has_code: boolean
  /** The ways for the user to act now. */
  readonly ways: ReadonlyArray<Way>
}

/** Every answer of the handler to the form. */
export interface Answer {
  readonly stage: Stage
  readonly sent: Sent | null
  readonly problem: Problem | null
  /** The possible numbers of an ambiguous text; otherwise empty. */
  readonly readings: ReadonlyArray<Readable>
  /** The default country for numbers without a calling code; null if the handler does not know it. */
  readonly country: string | null
  /** Where the browser navigates after an approval; null to stay on the page. */
  readonly location: string | null
}

/** A request of the form. */
export type Ask =
  | { readonly action: "start"; readonly to: string; readonly country: string; readonly language: string }
  | { readonly action: "check"; readonly id: string; readonly code: string }
  | { readonly action: "resend" | "other"; readonly id: string }
  /** With `wait`, the answer comes once the user has acted, or some seconds later. */
  | { readonly action: "state"; readonly id: string | null; readonly wait: boolean }

/** The answer that a body has; null for anything else, such as the page of a proxy. */
export const answerOf = (body: unknown): Answer | null => (isAnswer(body) ? body : null)

// Form and handler have the same version, so it is enough to distinguish their answers from other JSON.
const isAnswer = (body: unknown): body is Answer =>
  typeof body === "object" && body !== null && "stage" in body && "sent" in body && "problem" in body
