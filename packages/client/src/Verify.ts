/**
 * Verifications: a code over several channels, sent until it arrives, and checked.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"
import type { CallOptions, KeyedOptions } from "./Options.ts"
import type { Request } from "./internal/Request.ts"

export type StepChannel = "chatgw" | "sms" | "call" | "bizchat"

/** Where nothing was heard for `timeout` seconds, the next step is taken. */
export interface Step {
  readonly channel: StepChannel
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
  /** The name of a template, and values for its own places. */
  readonly template?: string
  readonly variables?: Readonly<Record<string, string>>
  /** By which Android's SMS Retriever finds the text. */
  readonly app_hash?: string
  /** An https origin to whose pages browsers offer the code. */
  readonly web_origin?: string
  /**
   * A code of your own; without one the service makes it. Started again after `max_attempts` wrong guesses, it has as many
   * anew: make another one for each verification.
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
  readonly attempts: ReadonlyArray<Attempt>
  /** The step that follows by itself. */
  readonly next: { readonly channel: StepChannel; readonly at: string } | null
  readonly resend_at: string
  readonly sends_left: number
  readonly checks_left: number
  readonly expires_at: string
  readonly approved_at: string | null
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
  readonly verification_id?: string
  readonly to?: string
  readonly purpose?: string
}

export interface VerificationChecked {
  readonly valid: boolean
  readonly status: VerificationStatus
  readonly checks_left: number
  readonly verification_id: string
  readonly channel: StepChannel
}

/** The current channel to send the code again, another one to go there; none for the next step. */
export interface NextStep {
  readonly channel?: StepChannel
}

export interface ReportVerification {
  readonly status: "approved" | "failed"
}

export interface Verify {
  /** Sends a code. While one of the number and purpose is pending, this sends that one again. */
  readonly start: (body: StartVerification, options?: KeyedOptions) => Promise<Verification>
  /** Compares the code that the user has entered. A wrong code is no error: `valid` is false. */
  readonly check: (body: CheckVerification, options?: KeyedOptions) => Promise<VerificationChecked>
  /** Sends the code again, or by the next step. A repeat would be another send, so the client makes none. */
  readonly next: (id: string, body?: NextStep, options?: CallOptions) => Promise<Verification>
  /** Ends a verification. Repeating it is fine. */
  readonly cancel: (id: string, options?: CallOptions) => Promise<Verification>
  readonly get: (id: string, options?: CallOptions) => Promise<Verification>
  readonly list: (body?: ListBody<VerificationFields>, options?: CallOptions) => Listing<Verification>
  /** Reports how a verification ended whose code you have compared yourself. Repeating a report is fine. */
  readonly report: (id: string, report: ReportVerification, options?: CallOptions) => Promise<Verification>
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
