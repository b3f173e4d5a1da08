/**
 * Codes over all channels, sent, sent on and checked. Written by scripts/contract.ts.
 */
import type { ClientFacts } from "./ClientFacts.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import type { Request } from "./internal/Request.ts"
import { type ListBody, type Listing, listing } from "./Lists.ts"

/** A verification, always without its code. */
export interface Verification {
  /** The id of the verification. */
  readonly id: string
  /** The number of the recipient, in E.164. */
  readonly to: string
  /** The number's country as an ISO 3166-1 code; null for numbers without a country. */
  readonly country: string | null
  /** The purpose given at the start. */
  readonly purpose: string
  /** Its state; every status except `pending` is final. */
  readonly status: VerificationStatus
  /** Why it failed (`max_checks`, `undeliverable`) or is blocked; null otherwise. */
  readonly reason: string | null
  /** The channel of the current step. */
  readonly channel: StepChannel
  /** The number of the current step, from 1 on. */
  readonly step: number
  /** The sends of the code, oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The next automatic step; null if there is none. */
  readonly next: {
    /** The channel of the step. */
    readonly channel: StepChannel
    /** When it runs. ISO 8601 in UTC. */
    readonly at: string
  } | null
  /** The earliest time for sending the code again. ISO 8601 in UTC. */
  readonly resend_at: string
  /** How many more times the code may be sent. */
  readonly sends_left: number
  /** How many wrong codes may still be entered. */
  readonly checks_left: number
  /** When it expires. ISO 8601 in UTC. */
  readonly expires_at: string
  /** When it was approved; null until then. ISO 8601 in UTC. */
  readonly approved_at: string | null
  /** How the user acted first; left out for an approval by only a code. */
  readonly by?: ReceiveForm
  /** How sure it is that the number is the user's, where the user acted first. */
  readonly assurance?: Assurance
  /**
   * The instructions for the user, one for each form of a `receive` step. In answers about one verification, while it
   * is at that step; never in lists and events.
   */
  readonly present?: ReadonlyArray<Presented>
  /** The user's actions at `receive` steps, oldest first; left out if there are no actions. */
  readonly received?: ReadonlyArray<Received>
  /** Whether the number is one of the account's test numbers, to which nothing is sent. */
  readonly test_number: boolean
  /** Your name for the user or the session; null without one. */
  readonly client_ref: string | null
  /** The payment that an approval is for, if the start named one; left out once it is erased. */
  readonly bind?: Bind
  /** The texts given at the start. */
  readonly metadata: Readonly<Record<string, string>>
  /** When it was made. ISO 8601 in UTC. */
  readonly created_at: string
  /** Why a guard refused the send, or would have refused it, with spaces in between. */
  readonly guard_reasons?: string
}

/** How a verification stands; all but `pending` are final. */
export type VerificationStatus = "pending" | "approved" | "failed" | "expired" | "canceled" | "blocked"

export type StepChannel = "chatgw" | "sms" | "call" | "bizchat" | (string & {})

/** One send of the code, an ordinary delivery in the lists of its channel. */
export interface Attempt {
  /** The id of its delivery record; null if nothing was sent. */
  readonly delivery_id: string | null
  /** The channel that the code was sent by. */
  readonly channel: StepChannel
  /** What became of it, such as `accepted`, `delivered` or `undelivered`. */
  readonly status: string
  /** Why it failed, as a word for programs; null otherwise. */
  readonly reason: string | null
  /** When it was sent. ISO 8601 in UTC. */
  readonly at: string
  /** The price in EUR. */
  readonly price: number
}

/**
 * A way in which a user acts first: `telegram_login` signs in with Telegram, `sms` writes a text to a number of the
 * service, `call` calls one, `bizchat` writes to it in WhatsApp.
 */
export type ReceiveForm = "telegram_login" | "sms" | "call" | "bizchat"

/**
 * How sure it is that the user holds the number: `account`, a platform has verified it; `network`, the user's own
 * network vouches for it; `claimed`, a caller or a sender without any proof. `account` is the strongest.
 */
export type Assurance = "claimed" | "network" | "account"

/** The instructions for one form of a `receive` step, which an app shows its user. */
export interface Presented {
  /** The form. */
  readonly by: ReceiveForm
  /** The number to write to or to call, in E.164 with the plus sign; null for a form without a number. */
  readonly number: string | null
  /** The link to open: `sms:`, `tel:`, `https://wa.me/…`, or the page of a provider to sign in at. */
  readonly uri: string
  /** The text to send as it is, which the link has already; null for a form without one. */
  readonly text: string | null
  /** The link as a QR code, an SVG for a page on another screen; only where `qr` asked for it. */
  readonly qr?: string
  /** Until when it counts. ISO 8601 in UTC. */
  readonly expires_at: string
}

/** An action of a user for a verification, and its result. */
export interface Received {
  /** The form. */
  readonly by: ReceiveForm
  /** When it came. ISO 8601 in UTC. */
  readonly at: string
  /** Its result. */
  readonly result: ReceivedResult
  /** How sure it is that the number is the user's. */
  readonly assurance: Assurance
}

/**
 * `approved`; `replied`: a code was sent back, which the user enters; `other_number`: it came from another number,
 * and the form no longer works; `not_shared`: it came without a number; `weak`: less sure than `least_assurance`;
 * `ambiguous`: the text had the tokens of several verifications; `not_replied`: a guard kept the reply back.
 */
export type ReceivedResult =
  | "approved"
  | "replied"
  | "other_number"
  | "not_shared"
  | "weak"
  | "ambiguous"
  | "not_replied"

/** The payment that an approval is for. */
export interface Bind {
  /** The amount with its currency, as the user reads it, such as `39.99 EUR`; 1 to 40 characters. */
  readonly amount: string
  /** The name of the payee, as the user reads it, of 1 to 100 characters. */
  readonly payee: string
}

/** Whom to verify, and by which steps. */
export interface StartVerification extends ClientFacts {
  /** The number of the recipient: in E.164 with the plus sign, or with `default_country` as people type it. */
  readonly to: string
  /**
   * The country in which a number without a calling code is dialled, by its ISO 3166-1 alpha-2 code, such as `DE`.
   * With it `to` is read as people type it: `0151 23456789`. A text that can be read as two numbers is refused.
   */
  readonly default_country?: string
  /**
   * 1 to 4 steps in their order, or the name of a workflow of the account; unless given the account's, else the
   * channels that are configured, the cheapest first and a call last.
   */
  readonly workflow?: ReadonlyArray<Step> | string
  /**
   * The purpose, by which verifications of one number are kept apart: one of each is pending at a time; "default"
   * unless given.
   */
  readonly purpose?: string
  /**
   * The length of the code, 4 to 10 digits; 6 unless given. More than 8 are not sent in calls and by the chat
   * gateway.
   */
  readonly code_length?: number
  /** Seconds that the code is valid, 60 to 3600; 600 unless given. */
  readonly ttl?: number
  /** How many wrong codes may be entered, 1 to 10; 5 unless given. */
  readonly max_checks?: number
  /** How often the code may be sent, 1 to 10; 5 unless given. */
  readonly max_sends?: number
  /** The language of the text, as a BCP 47 tag. */
  readonly locale?: string
  /** The name of a template of the account. */
  readonly template?: string
  /** Values for the template's own places: up to 10, of up to 100 characters each. */
  readonly variables?: Readonly<Record<string, string>>
  /**
   * A text of your own with `{{code}}` in it, of at most 160 characters, instead of a template: only for accounts
   * with texts of their own.
   */
  readonly text?: string
  /**
   * The payment that an approval is for. Templates have it as `{{amount}}` and `{{payee}}`, and the check must repeat
   * it.
   */
  readonly bind?: Bind
  /** The hash of an Android app, 11 characters, by which its SMS Retriever finds the text. */
  readonly app_hash?: string
  /** The https origin of the page to which browsers offer the code. */
  readonly web_origin?: string
  /**
   * A code of your own, 4 to 10 digits; without one the service makes it. Started again after `max_checks` wrong
   * codes, it has all its checks again: make another one for each verification.
   */
  readonly code?: string
  /**
   * Whether a pending verification of the number ends, and this one starts instead of it: without `code` with a new
   * code, with `code` unless that is the code of the pending one. False unless given: then the pending one is sent
   * again, or another `code` is a conflict. No earlier than 30 seconds after the pending one has started.
   */
  readonly replace?: boolean
  /**
   * Whether a pending verification of the number is sent by the first channel of this workflow instead of its own
   * channel: it gets a step of that channel if it has none. Its code, and the checks and the sends that are left,
   * stay. False unless given.
   */
  readonly switch_channel?: boolean
  /**
   * How sure it must be that the number is the user's where the user acts first, weakest first `claimed`, `network`,
   * `account`; `claimed` unless given. A weaker proof does not approve.
   */
  readonly least_assurance?: Assurance
  /** Whether `present` has QR codes. False unless given. */
  readonly qr?: boolean
  /**
   * Up to 5 values of your own, by which guards count under `limit_key:` and the name, such as `{"session": "abc"}`:
   * names of up to 64 letters, digits, dots, hyphens and underscores, values of up to 200 characters. Only their
   * codes are kept.
   */
  readonly limit_keys?: Readonly<Record<string, string>>
  /**
   * Up to 10 short texts of your own, which come back with the verification: names of up to 40 characters, values of
   * up to 100.
   */
  readonly metadata?: Readonly<Record<string, string>>
}

/** One step of a workflow. Where nothing was heard for `timeout` seconds, the next one is taken. */
export interface Step {
  /** The channel that the code is sent by, or `receive`: the user writes, calls or signs in, and no code is needed. */
  readonly channel: StepChannel
  /** Seconds without news after which the next step is taken, 10 to 900. */
  readonly timeout: number
  /**
   * `other` for a carrier that no earlier step has used, where the service has several: a second try by it. Without
   * one the step is passed over.
   */
  readonly carrier?: "other"
  /** How the user may act, for a `receive` step only. Forms that do not serve the number are left out. */
  readonly by?: ReadonlyArray<ReceiveForm>
  /**
   * Whether a text that a user sends is answered by a code, which the user enters: a token that someone was talked
   * into sending proves nothing then. True unless given; for a `receive` step only.
   */
  readonly reply?: boolean
}

/** Whether the code is right. A wrong code is no error: it takes one of its checks. */
export interface VerificationChecked {
  /** Whether the code is right. */
  readonly valid: boolean
  /** How the verification stands; all but `pending` are final. */
  readonly status: VerificationStatus
  /** How many wrong codes may still be entered. */
  readonly checks_left: number
  /** The id of the verification. */
  readonly verification_id: string
  /** The channel of the current step. */
  readonly channel: StepChannel
  /** `bind_mismatch` if `bind` is not the payment of the start, whatever the code is; left out otherwise. */
  readonly reason?: "bind_mismatch"
}

/** The verification is named by its id, or by its number and purpose. */
export interface CheckVerification {
  /**
   * The code as the user has entered it: 4 to 10 digits of any script. White space, dashes and invisible marks
   * before, between and behind them are left out.
   */
  readonly code: string
  /** The `id` of the verification. */
  readonly verification_id?: string
  /**
   * The number of the verification instead of its id, in E.164 with the plus sign, or with `default_country` as
   * people type it.
   */
  readonly to?: string
  /**
   * The country in which a number without a calling code is dialled, by its ISO 3166-1 alpha-2 code, such as `DE`.
   * With it `to` is read as people type it: `0151 23456789`. A text that can be read as two numbers is refused.
   */
  readonly default_country?: string
  /** The purpose of the verification; "default" unless given. */
  readonly purpose?: string
  /** The payment that the user approves, the same as at the start; without it no code of that start is right. */
  readonly bind?: Bind
}

/** Where to send the code next. */
export interface NextStep {
  /** The current channel to send the code again, another one to go there; none is the next step. */
  readonly channel?: StepChannel
}

export interface VerificationQuery {
  /**
   * How many seconds to wait, 0 to 25, where the user acts first: the answer comes once the verification has changed.
   * 0 unless given. If no user is waited for, the answer comes at once.
   */
  readonly wait?: number
  /** Whether `present` has QR codes. False unless given. */
  readonly qr?: boolean
}

export interface ReportVerification {
  /** The result of your own comparison of the code. */
  readonly status: "approved" | "failed"
}

/** A verification named by its number and its purpose, instead of its id. */
export interface VerifiedNumber {
  /** The number, in E.164 with the plus sign, or with `default_country` as people type it. */
  readonly to: string
  /**
   * The country in which a number without a calling code is dialled, by its ISO 3166-1 alpha-2 code, such as `DE`.
   * With it `to` is read as people type it: `0151 23456789`. A text that can be read as two numbers is refused.
   */
  readonly default_country?: string
  /** The purpose that the verification was started for; "default" unless given. */
  readonly purpose?: string
}

/** The code that the user entered. */
export interface EnteredCode {
  /**
   * The code as the user has entered it: 4 to 10 digits of any script. White space, dashes and invisible marks before,
   * between and after the digits are ignored.
   */
  readonly code: string
  /** The payment that the user approves, the same as at the start. */
  readonly bind?: Bind
}

export interface Verify<C extends Convention = OverHttp> {
  /**
   * Sends a code with the first step that is possible, and with the next step if nothing arrives. A number has one
   * pending verification for each purpose: another start returns the pending verification and sends its code again.
   * For a button that sends the code again use `resend`. A wrong field is a 400, whose `issues` name it. Fails with
   * 402, 480 or 503 only if no step is possible. The `reason` of a 429 is `resend_too_soon`, `too_many_sends` or a
   * guard's reason.
   */
  readonly start: (...args: [...C["before"], body: StartVerification, ...C["keyed"]]) => Promise<Verification>
  /**
   * Compares the user's entry with the code, and after a call also with the last digits of the number that called. A
   * wrong code is no error: `valid` is false. A verification that is approved already is a conflict, except for the
   * request that was repeated under its `Idempotency-Key`; one without checks left is a 429.
   */
  readonly check: (
    ...args: [...C["before"], verification: string | VerifiedNumber, entered: EnteredCode, ...C["keyed"]]
  ) => Promise<VerificationChecked>
  /**
   * Sends the code again, or by the next step. A verification that has ended, or has no such step left, is a
   * conflict. It counts as another send: the `reason` of a 403 is that of a guard, and of a 429 `resend_too_soon`,
   * `too_many_sends` or that of a guard. `@watchword/client` never repeats it, because a repeat would act twice or
   * find it done.
   */
  readonly next: (...args: [...C["before"], id: string, body?: NextStep, ...C["options"]]) => Promise<Verification>
  /**
   * Sends the same code again, by the channel that the verification is at. It takes one of its sends: the `reason` of
   * a 429 is `resend_too_soon`, whose `retryAfter` is in seconds, `too_many_sends` or that of a guard. A verification
   * that has ended is a conflict. It looks the verification up first, for which a key needs the scope `verify:read`.
   */
  readonly resend: (...args: [...C["before"], id: string, ...C["options"]]) => Promise<Verification>
  /**
   * Ends a verification: takes no further step, ends a call that rings, and takes back a chat message that was not
   * read, whose price comes back. Repeating it is fine; a verification that is approved is a conflict.
   */
  readonly cancel: (...args: [...C["before"], id: string, ...C["options"]]) => Promise<Verification>
  /**
   * Looks up a verification. While its user is to act first, `present` has what to show, and with `wait` the request
   * is answered once something has changed: the user has acted, or the next step was taken.
   */
  readonly get: (
    ...args: [...C["before"], id: string, query?: VerificationQuery, ...C["options"]]
  ) => Promise<Verification>
  /**
   * Lists verifications, the newest first unless `sort_by` says otherwise. A page past the end is empty and has the
   * true totals. `await` gives a page, `for await` the records of that page and of all after it.
   */
  readonly list: (...args: [...C["before"], body?: ListBody<Verification>, ...C["options"]]) => Listing<Verification>
  /**
   * Reports how a verification ended whose code you have compared yourself. Repeating a report is fine; contradicting
   * one is a conflict.
   */
  readonly report: (
    ...args: [...C["before"], id: string, report: ReportVerification, ...C["options"]]
  ) => Promise<Verification>
}

export const verify = (request: Request): Verify => ({
  start: (body, options) => request({ method: "POST", path: "/verifications", body, repeats: "keyed" }, options),
  check: (verification, entered, options) =>
    request(
      {
        method: "POST",
        path: "/verifications/check",
        body: { ...(typeof verification === "string" ? { verification_id: verification } : verification), ...entered },
        repeats: "keyed"
      },
      options
    ),
  next: (id, body, options) =>
    request(
      { method: "POST", path: `/verifications/${encodeURIComponent(id)}/next`, body: body ?? {}, repeats: "never" },
      options
    ),
  resend: async (id, options) => {
    const path = `/verifications/${encodeURIComponent(id)}`
    const { channel } = await request<Verification>({ method: "GET", path, repeats: "harmless" }, options)
    return request({ method: "POST", path: `${path}/next`, body: { channel }, repeats: "never" }, options)
  },
  cancel: (id, options) =>
    request({ method: "POST", path: `/verifications/${encodeURIComponent(id)}/cancel`, repeats: "harmless" }, options),
  get: (id, query, options) =>
    request({ method: "GET", path: `/verifications/${encodeURIComponent(id)}`, query, repeats: "harmless" }, options),
  list: (body, options) => listing(request, "/verifications/list", body, options),
  report: (id, report, options) =>
    request(
      { method: "POST", path: `/verifications/${encodeURIComponent(id)}/report`, body: report, repeats: "harmless" },
      options
    )
})
