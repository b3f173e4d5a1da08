/**
 * The service's own interface, called in the same process: its keys, scopes, allow-lists, guards, repeats and its log
 * are those of requests that come by the door.
 */
import { type ErrorCode, isErrorCode } from "@watchword/schemas/Errors"
import {
  type NextStep,
  type ReportVerification,
  Verification,
  VerificationChecked
} from "@watchword/schemas/Verification"
import { type HandlePromise, type HostBody, type HostRequest, absent, parsed } from "@watchword/server/Host"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Refused } from "./Answers.ts"
import { type Failure, refusalOf } from "./Errors.ts"

type Called<A> = Effect.Effect<A, Refused>

export interface Page {
  readonly total: number
  readonly has_next_page: boolean
  readonly list: ReadonlyArray<Verification>
}

/** Calls the interface with the credentials of one request. */
export interface Interface {
  readonly start: (body: object) => Called<Verification>
  readonly check: (body: object) => Called<VerificationChecked>
  readonly get: (id: string) => Called<Verification>
  readonly next: (id: string, body: NextStep) => Called<Verification>
  readonly cancel: (id: string) => Called<Verification>
  readonly report: (id: string, body: ReportVerification) => Called<Verification>
  readonly list: (body: object) => Called<Page>
  /** The number that a delivery went to, by the path of its record. */
  readonly sentTo: (path: string) => Called<{ readonly to: string }>
}

export interface Credentials {
  readonly account: string
  readonly key: string
}

export const make = (handle: HandlePromise, request: HostRequest, { account, key }: Credentials): Interface => {
  const { clientAddress, headers, remoteAddress } = request
  const shared = {
    headers: {
      ...passedOn(headers),
      "x-api-key": key,
      "x-account-id": account,
      "content-type": "application/json"
    },
    remoteAddress,
    ...(clientAddress === undefined ? {} : { clientAddress })
  }
  const call =
    <A>(decode: (value: unknown) => Effect.Effect<A, Schema.SchemaError>) =>
    (method: string, path: string, body: HostBody): Called<A> =>
      Effect.flatMap(
        Effect.promise(() => handle({ ...shared, method, path, body })),
        (answer) => {
          const value: unknown = typeof answer.body === "string" && answer.body !== "" ? JSON.parse(answer.body) : null
          return answer.status < 300 ? Effect.orDie(decode(value)) : Effect.fail(refusalOf(failureOf(value)))
        }
      )
  const verification = call(Schema.decodeUnknownEffect(Verification))
  const page = call(decodePage)
  const at = (id: string) => `/verifications/${encodeURIComponent(id)}`
  return {
    start: (body) => verification("POST", "/verifications", parsed(body)),
    check: (body) => checked(call)("POST", "/verifications/check", parsed(body)),
    get: (id) => verification("GET", at(id), absent),
    next: (id, body) => verification("POST", `${at(id)}/next`, parsed(body)),
    cancel: (id) => verification("POST", `${at(id)}/cancel`, absent),
    report: (id, body) => verification("POST", `${at(id)}/report`, parsed(body)),
    list: (body) => page("POST", "/verifications/list", parsed(body)),
    sentTo: (path) => call(decodeSent)("GET", path, absent)
  }
}

const checked = (
  call: <A>(
    decode: (value: unknown) => Effect.Effect<A, Schema.SchemaError>
  ) => (method: string, path: string, body: HostBody) => Called<A>
) => call(Schema.decodeUnknownEffect(VerificationChecked))

const decodeSent = Schema.decodeUnknownEffect(Schema.Struct({ to: Schema.String }))

const decodePage = Schema.decodeUnknownEffect(
  Schema.Struct({ total: Schema.Int, has_next_page: Schema.Boolean, list: Schema.Array(Verification) })
)

/** Headers that say from where a request comes, and under which id and trace. */
const PASSED_ON = ["x-forwarded-for", "x-request-id", "traceparent", "tracestate", "user-agent", "idempotency-key"]

const passedOn = (headers: HostRequest["headers"]): HostRequest["headers"] =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))

const Envelope = Schema.Struct({
  error: Schema.String,
  message: Schema.String,
  reason: Schema.optionalKey(Schema.String),
  retry_after: Schema.optionalKey(Schema.Number),
  issues: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })))
})

const decodeEnvelope = Schema.decodeUnknownOption(Envelope)

const failureOf = (value: unknown): Failure => {
  const decoded = decodeEnvelope(value)
  if (decoded._tag === "None") return { ...fault, message: "The service has a fault." }
  const { error, issues = [], message, reason = null, retry_after: retryAfter } = decoded.value
  return { code: codeOf(error), message, reason, issues, retryAfter }
}

const codeOf = (error: string): ErrorCode => (isErrorCode(error) ? error : "INTERNAL_SERVER_ERROR")

const fault = { code: "INTERNAL_SERVER_ERROR", reason: null, retryAfter: undefined, issues: [] } as const
