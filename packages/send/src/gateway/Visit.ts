/**
 * Pages for the browser of a user, such as the page to which a provider's sign-in returns. No user authenticates: a
 * page acts on its address.
 */
import type * as Effect from "effect/Effect"

/** Where a page is, below the service's base address. */
export interface VisitPath {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
}

export interface VisitRequest extends VisitPath {
  readonly query: URLSearchParams
  /** The fields of a form that was posted; empty for a GET. */
  readonly form: URLSearchParams
  /** The header of that name; empty without one. */
  readonly acceptLanguage: string
}

export interface VisitResponse {
  readonly status: number
  /** In addition to those by which no page of a visit is cached or named to other servers. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** HTML; empty for a redirect. */
  readonly body: string
}

export type Visit = (request: VisitRequest) => Effect.Effect<VisitResponse>

/** The largest form that is read, in bytes. */
export const MAX_FORM_BYTES = 8_192
