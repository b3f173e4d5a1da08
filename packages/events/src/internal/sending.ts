/**
 * What senders of all runtimes share: requests and answers, limits, and answers that never came.
 */
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { isPrivateHost } from "./Addresses.ts"

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came of one request. */
export type WebhookAnswer =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The beginning of its body, where it was no 2xx and has one. */
      readonly said?: string
    }
  /** The name or the address belongs to a private network. */
  | { readonly _tag: "Refused" }
  /** The name has no address: `why` is a code such as `ENOTFOUND`, or `ETIMEOUT` where no name server answers. */
  | { readonly _tag: "Unresolved"; readonly why: string }
  /** Nothing was answered: `why` is a word such as `timeout` or `ECONNREFUSED`. */
  | { readonly _tag: "Unanswered"; readonly why: string }

export interface Service {
  readonly send: (request: WebhookRequest) => Effect.Effect<WebhookAnswer>
  /** Whether an address is refused as private, before its name is resolved. */
  readonly refuses: (url: string) => boolean
}

export interface Limits {
  readonly allowPrivate: boolean
  readonly timeout: number
  readonly nameServers?: ReadonlyArray<string> | undefined
}

/** The rule by which senders refuse addresses. */
export const refusing =
  (allowPrivate: boolean): Service["refuses"] =>
  (url) =>
    !allowPrivate && isPrivateHost(new URL(url).hostname)

/** How many bytes of the body of an answer that is no 2xx are read. */
export const MOST_SAID = 800

/** An answer, and the beginning of its body where that says why it was no 2xx. */
export const answeredWith = (status: number, body: Uint8Array | null): WebhookAnswer => {
  const said = body === null || isTaking(status) ? "" : new TextDecoder().decode(body).trim()
  return { _tag: "Answered", status, ...(said !== "" && { said }) }
}

/** Whether an answer takes the event, so that its body is of no use. */
export const isTaking = (status: number): boolean => status >= 200 && status < 300

export const refused: WebhookAnswer = { _tag: "Refused" }

export const unresolved = (why: string): WebhookAnswer => ({ _tag: "Unresolved", why })

/** Only the code of an error, because messages may repeat addresses and headers. */
export const unanswered = (error: unknown, isLate: boolean): WebhookAnswer => {
  if (isLate) return { _tag: "Unanswered", why: "timeout" }
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : error
  const code = Predicate.hasProperty(cause, "code") ? cause.code : null
  return { _tag: "Unanswered", why: typeof code === "string" ? code : "failed" }
}
