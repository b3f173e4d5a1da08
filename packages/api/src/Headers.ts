/**
 * The headers of the interface, and how the OpenAPI document describes them.
 */
import type { Scope } from "@watchword/schemas/Channel"

/** The account's API key, a secret. */
export const API_KEY = "x-api-key"

/** The account's identifier. */
export const ACCOUNT_ID = "x-account-id"

/** `Bearer` and an API key, instead of these two headers: the key identifies its account. */
export const AUTHORIZATION = "authorization"

/** A correlation id, any UUID. Every answer repeats it, or has a new one from the service. */
export const REQUEST_ID = "x-request-id"

/** A name for one request: a repeat of the request gets the first response again. */
export const IDEMPOTENCY_KEY = "idempotency-key"

/** An idempotency key: 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/

/** Security schemes, for the document as a whole. */
export const securitySchemes = {
  apiKey: { type: "apiKey", in: "header", name: API_KEY, description: "The account's API key." },
  accountId: { type: "apiKey", in: "header", name: ACCOUNT_ID, description: "The account's identifier." },
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The account's API key as `Authorization: Bearer sk_…`. It needs neither of the other two headers; if you send them, they must agree with it."
  }
}

// Parameters have no examples: a page for trying out requests would send the same value each time, as a repeat.
const requestId = {
  name: REQUEST_ID,
  in: "header",
  required: false,
  description: "A correlation id, any UUID. The answer repeats it in the header, and in the body of errors.",
  schema: { type: "string", format: "uuid" }
}

const sendRequestId = {
  ...requestId,
  description:
    "A correlation id, any UUID. The answer repeats it in the header, and in the body of errors. " +
    "Repeating it with the same body within 24 hours is answered 409, unless the first request failed. " +
    "A value that is not a UUID is ignored: the answer has another id, and repeats are not detected."
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A name for this one request, such as signup-8271. Repeating it with the same key and body within 24 hours returns " +
    "the first response again, even if a gateway refused the send: to send again, use another key. With a different body, " +
    "the answer is 409.",
  schema: { type: "string", pattern: IDEMPOTENCY_KEY_PATTERN.source }
}

const answeredRequestId = {
  description: "The correlation id of the request.",
  schema: { type: "string", format: "uuid" }
}

const retryAfter = {
  description: "Seconds after which the same request may succeed; absent where waiting does not help.",
  schema: { type: "integer", minimum: 1 }
}

const headersOf = (status: string) => ({
  [REQUEST_ID]: answeredRequestId,
  ...(status === "429" ? { "retry-after": retryAfter } : {})
})

/** The headers that identify a repeat of a request. */
export type RepeatsBy = "both" | "key" | "nothing"

const naming: { readonly [R in RepeatsBy]: ReadonlyArray<object> } = {
  both: [sendRequestId, idempotencyKey],
  key: [requestId, idempotencyKey],
  nothing: [requestId]
}

/** Adds the headers of requests and answers to one operation of an OpenAPI document. */
export const describeHeaders =
  (operation: { readonly scope: Scope; readonly accountRequired: boolean; readonly repeatsBy: RepeatsBy }) =>
  (document: Record<string, unknown>): Record<string, unknown> => ({
    ...document,
    description: [document["description"], `Needs the scope \`${operation.scope}\`.`].filter(Boolean).join("\n\n"),
    security: [
      { apiKey: [], accountId: [] },
      // Alternatives: with the account's id, without it, or the key in the other header.
      ...(operation.accountRequired ? [] : [{ apiKey: [] }]),
      { bearer: [] }
    ],
    parameters: [...list(document["parameters"]), ...naming[operation.repeatsBy]],
    responses: Object.fromEntries(
      Object.entries(record(document["responses"])).map(([status, response]) => [
        status,
        { ...record(response), headers: headersOf(status) }
      ])
    )
  })

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const record = (value: unknown): object => (typeof value === "object" && value !== null ? value : {})
