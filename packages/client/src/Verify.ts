/**
 * Verifications: a code over several channels, sent until it arrives, and checked.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, listing } from "./Lists.ts"
import type { Convention, OverHttp, Pages } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"

export type StepChannel = "chatgw" | "sms" | "call" | "bizchat"

/** Where nothing was heard for `timeout` seconds, the next step is taken. */
export interface Step {
  /** The channel that the code is sent by. */
  readonly channel: StepChannel
  /** Seconds, 10 to 900. */
  readonly timeout: number
}

export interface StartVerification extends ClientFacts {
  /** E.164, with the plus sign. */
  readonly to: string
  /** 1 to 4 steps, or the name of a workflow of the account. */
  readonly workflow?: ReadonlyArray<Step> | string
  /** What keeps verifications of one number apart; "default" unless given. */
  readonly purpose?: string
  /** 4 to 8 digits; 6 unless given. */
  readonly code_length?: number
  /** Seconds, 60 to 3600; 600 unless given. */
  readonly ttl?: number
  /** Guesses, 1 to 10; 5 unless given. */
  readonly max_attempts?: number
  /** Sends, 1 to 10; 5 unless given. */
  readonly max_sends?: number
  /** The language of the text, as a BCP 47 tag. */
  readonly locale?: string
  /** The name of a template of the account. */
  readonly template?: string
  /** Values for the template's own places. */
  readonly variables?: Readonly<Record<string, string>>
  /** By which Android's SMS Retriever finds the text. */
  readonly app_hash?: string
  /** An https origin to whose pages browsers offer the code. */
  readonly web_origin?: string
  /**
   * A code of your own; without one the service makes it. Started again after `max_attempts` wrong guesses, it has all
   * its guesses again: make another one for each verification.
   */
  readonly code?: string
  /** Whether a pending verification of another code is canceled for this one, instead of a `Conflict`. */
  readonly replace?: boolean
  /** Up to ten short texts, which come back with the verification. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** How a verification stands; all but `pending` are final. */
export type VerificationStatus = "pending" | "approved" | "failed" | "expired" | "canceled" | "blocked"

/** One send of the code. Its record is in the lists of its channel. */
export interface Attempt {
  readonly delivery_id: string | null
  readonly channel: StepChannel
  readonly status: string
  readonly reason: string | null
  readonly at: string
  readonly price: number
}

/** A verification, always without its code. Times are ISO 8601 in UTC, prices in EUR. */
export interface Verification {
  readonly id: string
  readonly to: string
  readonly country: string | null
  readonly purpose: string
  readonly status: VerificationStatus
  /** Why it failed (`max_attempts`, `undeliverable`) or is blocked. */
  readonly reason: string | null
  readonly channel: StepChannel
  /** The number of the current step, from 1 on. */
  readonly step: number
  /** The sends of the code, oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The step that follows by itself; null where none will. */
  readonly next: { readonly channel: StepChannel; readonly at: string } | null
  /** When the code may be sent again. */
  readonly resend_at: string
  readonly sends_left: number
  /** How many guesses are left. */
  readonly checks_left: number
  readonly expires_at: string
  readonly approved_at: string | null
  /** Whether the number is one of the account's test numbers, to which nothing is sent. */
  readonly test_number: boolean
  readonly client_ref: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly created_at: string
  readonly guard_reasons?: string
}

/** The fields that lists of verifications filter and sort by. */
export type VerificationFields = Omit<Verification, "attempts" | "next" | "metadata">

/** A verification is named by its id, or by its number and purpose. */
export interface CheckVerification {
  /** As the user has entered it. */
  readonly code: string
  /** The `id` of the verification. */
  readonly verification_id?: string
  /** E.164, with the plus sign: the number, instead of the id. */
  readonly to?: string
  /** The purpose beside the number; "default" unless given. */
  readonly purpose?: string
}

export interface VerificationChecked {
  /** Whether the code is right. */
  readonly valid: boolean
  readonly status: VerificationStatus
  /** How many guesses are left. */
  readonly checks_left: number
  readonly verification_id: string
  readonly channel: StepChannel
}

/** Where to send the code next. */
export interface NextStep {
  /** The current channel to send the code again, another one to go there; none for the next step. */
  readonly channel?: StepChannel
}

export interface ReportVerification {
  /** What your own comparison of the code came to. */
  readonly status: "approved" | "failed"
}

export interface Verify<C extends Convention = OverHttp> {
  /** Sends a code. While one of the number and purpose is pending, this sends that one again. */
  readonly start: (...args: [...C["before"], body: StartVerification, ...C["keyed"]]) => Promise<Verification>
  /** Compares the code that the user has entered. A wrong code is no error: `valid` is false. */
  readonly check: (...args: [...C["before"], body: CheckVerification, ...C["keyed"]]) => Promise<VerificationChecked>
  /** Sends the code again, or by the next step. A repeat is another send, so `@watchword/client` makes none by itself. */
  readonly next: (...args: [...C["before"], id: string, body?: NextStep, ...C["options"]]) => Promise<Verification>
  /** Ends a verification. Repeating it is fine. */
  readonly cancel: (...args: [...C["before"], id: string, ...C["options"]]) => Promise<Verification>
  /** Looks up how a verification stands. */
  readonly get: (...args: [...C["before"], id: string, ...C["options"]]) => Promise<Verification>
  /** Lists verifications, the newest first unless told otherwise. */
  readonly list: (
    ...args: [...C["before"], body?: ListBody<VerificationFields>, ...C["options"]]
  ) => Pages<C, Verification>
  /** Reports how a verification ended whose code you have compared yourself. Repeating a report is fine. */
  readonly report: (
    ...args: [...C["before"], id: string, report: ReportVerification, ...C["options"]]
  ) => Promise<Verification>
}

export const verify = (request: Request): Verify => ({
  start: (body, options) => request({ method: "POST", path: "/verifications", body, repeats: "keyed" }, options),
  check: (body, options) => request({ method: "POST", path: "/verifications/check", body, repeats: "keyed" }, options),
  next: (id, body = {}, options) =>
    request({ method: "POST", path: `${pathOf(id)}/next`, body, repeats: "never" }, options),
  cancel: (id, options) => request({ method: "POST", path: `${pathOf(id)}/cancel`, repeats: "harmless" }, options),
  get: (id, options) => request({ method: "GET", path: pathOf(id), repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/verifications/list", body, options),
  report: (id, body, options) =>
    request({ method: "POST", path: `${pathOf(id)}/report`, body, repeats: "harmless" }, options)
})

const pathOf = (id: string): string => `/verifications/${encodeURIComponent(id)}`
