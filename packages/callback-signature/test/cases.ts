/**
 * Callbacks and what becomes of them, as plain data: the same cases run in Node and in workerd.
 */
export interface Case {
  readonly name: string
  readonly body: string
  readonly headers: Record<string, string | Array<string>>
  readonly token?: string
  readonly now?: number
  readonly toleranceSeconds?: number
  /** The event's request id, or the code of the error. */
  readonly expected: { readonly requestId: string } | { readonly code: string }
}

const SECOND = 1000
const timestamp = "1700000000"
const sentAt = 1_700_000_000 * SECOND
const body = '{"request_id":"abc"}'
const signature = "ba63fd756bd9eefdac399bc598347c4754b01546d595bfe332b8e8d54aee773e"

export const token = "TEST_TOKEN"
export const vector = { body, timestamp, signature, sentAt }

const headers = { "X-Request-Timestamp": timestamp, "X-Request-Signature": signature }
const verified = { requestId: "abc" }
const code = (code: string) => ({ code })

export const cases: ReadonlyArray<Case> = [
  { name: "the vector", body, headers, expected: verified },
  {
    name: "header names in lower case",
    body,
    headers: { "x-request-timestamp": timestamp, "x-request-signature": signature },
    expected: verified
  },
  {
    name: "header names in upper case",
    body,
    headers: { "X-REQUEST-TIMESTAMP": timestamp, "X-REQUEST-SIGNATURE": signature },
    expected: verified
  },
  {
    name: "a signature in upper case",
    body,
    headers: { ...headers, "X-Request-Signature": signature.toUpperCase() },
    expected: verified
  },
  {
    name: "headers in lists of one",
    body,
    headers: { "x-request-timestamp": [timestamp], "x-request-signature": [signature] },
    expected: verified
  },
  {
    name: "a timestamp that is there twice",
    body,
    headers: { ...headers, "X-Request-Timestamp": [timestamp, timestamp] },
    expected: code("INVALID_TIMESTAMP")
  },
  {
    name: "a signature that is there twice",
    body,
    headers: { ...headers, "X-Request-Signature": [signature, signature] },
    expected: code("INVALID_SIGNATURE")
  },
  {
    name: "a signature that is there in two spellings of its name",
    body,
    headers: { ...headers, "x-request-signature": signature },
    expected: code("INVALID_SIGNATURE")
  },
  { name: "no headers", body, headers: {}, expected: code("MISSING_HEADER") },
  {
    name: "no timestamp",
    body,
    headers: { "X-Request-Signature": signature },
    expected: code("MISSING_HEADER")
  },
  {
    name: "no signature",
    body,
    headers: { "X-Request-Timestamp": timestamp },
    expected: code("MISSING_HEADER")
  },
  {
    name: "an empty signature",
    body,
    headers: { ...headers, "X-Request-Signature": "" },
    expected: code("MISSING_HEADER")
  },
  ...["1700000000.0", "1.7e9", "+1700000000", "-1700000000", "0x6553f100", "1700000000s", "now"].map((wrong) => ({
    name: `the timestamp ${wrong}`,
    body,
    headers: { ...headers, "X-Request-Timestamp": wrong },
    expected: code("INVALID_TIMESTAMP")
  })),
  {
    name: "a timestamp of a thousand digits",
    body,
    headers: { ...headers, "X-Request-Timestamp": "9".repeat(1000) },
    expected: code("EXPIRED_TIMESTAMP")
  },
  { name: "300 s late", body, headers, now: sentAt + 300 * SECOND, expected: verified },
  { name: "300 s early", body, headers, now: sentAt - 300 * SECOND, expected: verified },
  { name: "301 s late", body, headers, now: sentAt + 301 * SECOND, expected: code("EXPIRED_TIMESTAMP") },
  { name: "301 s early", body, headers, now: sentAt - 301 * SECOND, expected: code("EXPIRED_TIMESTAMP") },
  {
    name: "a tolerance of its own",
    body,
    headers,
    now: sentAt + 5 * SECOND,
    toleranceSeconds: 5,
    expected: verified
  },
  {
    name: "a tolerance of its own, passed",
    body,
    headers,
    now: sentAt + 6 * SECOND,
    toleranceSeconds: 5,
    expected: code("EXPIRED_TIMESTAMP")
  },
  { name: "another token", body, headers, token: "TEST_TOKEN2", expected: code("INVALID_SIGNATURE") },
  {
    name: "a re-serialised body",
    body: JSON.stringify(JSON.parse(body), null, 2),
    headers,
    expected: code("INVALID_SIGNATURE")
  },
  {
    name: "the timestamp moved by a second",
    body,
    headers: { ...headers, "X-Request-Timestamp": "1700000001" },
    expected: code("INVALID_SIGNATURE")
  },
  {
    name: "a signature cut short",
    body,
    headers: { ...headers, "X-Request-Signature": signature.slice(0, -2) },
    expected: code("INVALID_SIGNATURE")
  },
  {
    name: "a signature that is not hexadecimal",
    body,
    headers: { ...headers, "X-Request-Signature": "g".repeat(64) },
    expected: code("INVALID_SIGNATURE")
  }
]
