/**
 * The description of a provider: how its API is asked, what its answers mean, and how its receipts come back.
 *
 * A description is pure and knows no connection; `HttpGateway` does the rest, alike for all providers.
 */
import type { Authentication, Http, WebhookRequest } from "@watchword/send/gateway"
import type { Details } from "@watchword/store/Delivery"
import type * as Effect from "effect/Effect"
import type { Message, Receipt } from "../../SmsGateway.ts"

export interface Provider {
  /** As `/readyz` and the log have it, such as `twilio`. */
  readonly name: string
  /** The address that paths of requests are appended to. */
  readonly baseUrl: string
  readonly authentication: Authentication.Authentication
  /** The most characters of a text; null for as many as a client may send. */
  readonly longestText: number | null
  /** Tags of the optional parameters that it takes. A message with another is refused. */
  readonly tlvs: ReadonlyArray<number>
  readonly request: (message: Outgoing) => Pick<Http.Request, "method" | "path" | "headers" | "body" | "encoding">
  /**
   * The meaning of an answer. In case of doubt it is `Unknown`, see {@link answerOfStatus}.
   *
   * @param body the JSON value; undefined if the answer was no JSON
   */
  readonly answer: (status: number, body: unknown) => Answer
  /** Whether a code of an answer is in the provider's table; other codes are interpreted only by the status. */
  readonly isKnown: (code: string) => boolean
  /** An answer's words about an error; undefined if it has no words. */
  readonly said: (body: unknown) => unknown
  /** Null if no receipt can be verified: none is taken then. */
  readonly receipts: Receipts | null
}

export interface Outgoing extends Message {
  /** Seconds that the text is of use, at least 1; null to leave it to the provider. */
  readonly validity: number | null
}

export type Answer =
  /**
   * It took the text.
   *
   * `ids` has an id for each part, or one for all. `details` go to the record, such as `carrier_price`.
   */
  | { readonly _tag: "Accepted"; readonly ids: ReadonlyArray<string>; readonly details?: Details }
  /** It certainly did not take it. `code` is its own. */
  | { readonly _tag: "Refused"; readonly reason: Reason; readonly code: string | null }
  /** It asks for fewer requests. The text is sent again only where the provider says that it did not take it. */
  | { readonly _tag: "Throttled"; readonly code: string | null; readonly maySendAgain: boolean }
  /** It may have taken it or not. */
  | { readonly _tag: "Unknown" }

/**
 * Why a text is refused. Only `temporary` may pass by itself; `account` is for the operator to mend: credentials,
 * balance, permissions.
 */
export const reasons = ["recipient", "sender", "text", "message", "temporary", "account"] as const
export type Reason = (typeof reasons)[number]

/** Receipts, which the provider posts to the webhook of the gateway. */
export interface Receipts {
  /** The headers that sign a receipt, in lower case. */
  readonly signatureHeaders: ReadonlyArray<string>
  /** Whether the provider has signed the request, with its very body. */
  readonly isGenuine: (request: WebhookRequest) => Effect.Effect<boolean>
  /** The items of a genuine request; null if it cannot be read. */
  readonly read: (request: WebhookRequest) => ReadonlyArray<Receipt | Texted | Other> | null
}

/** A text that a user has written, with both numbers as the provider writes them. */
export interface Texted {
  readonly _tag: "Texted"
  readonly from: string
  readonly to: string
  readonly text: string
  /** Distinguishes one kind of such texts from another. */
  readonly word: string
}

/** Something in a request that is neither a receipt for one of our texts nor a text to a number of ours. */
export interface Other {
  readonly _tag: "Other"
  /** `subscriber_text`: a user has written to another number. `receipt`: it names no text. */
  readonly kind: "subscriber_text" | "receipt"
  /** Distinguishes one of a kind from another. */
  readonly word: string
}

export const other = (kind: Other["kind"], word: string): Other => ({ _tag: "Other", kind, word })

/** The meaning of the status only. Nothing was taken after a refusal, unless the request timed out or came twice. */
export const answerOfStatus = (status: number, code: string | null = null): Answer => {
  if (status < 400 || status >= 500) return { _tag: "Unknown" }
  switch (status) {
    case 408:
    case 409:
      return { _tag: "Unknown" }
    case 429:
      return { _tag: "Throttled", code, maySendAgain: false }
    case 401:
    case 402:
    case 403:
    case 404:
    case 405:
      return { _tag: "Refused", reason: "account", code }
    default:
      return { _tag: "Refused", reason: "message", code }
  }
}
