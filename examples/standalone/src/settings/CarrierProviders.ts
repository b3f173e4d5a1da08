/**
 * Providers of the file of carriers: the options of each as they stand in JSON.
 */
import { fromSchemaError } from "@watchword/schemas/internal/Issues"
import { type RoutesError, fault } from "@watchword/send/internal/routes/RoutesError"
import * as Description from "@watchword/sms/internal/http/Description"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SmsHttp } from "./SmsSettings.ts"

const common = { baseUrl: Schema.optionalKey(Schema.String), rate: Schema.optionalKey(Schema.Finite) }

const Secret = Schema.String.pipe(
  Schema.check(Schema.isPattern(/^[\x21-\x7e]+$/, { message: "must be a text without spaces" }))
)

const Twilio = Schema.Struct({
  ...common,
  accountSid: Schema.String,
  authToken: Secret,
  apiKey: Schema.optionalKey(Schema.Struct({ sid: Schema.String, secret: Secret })),
  messagingServiceSid: Schema.optionalKey(Schema.String)
})

const Vonage = Schema.Struct({
  ...common,
  apiKey: Schema.optionalKey(Schema.String),
  apiSecret: Schema.optionalKey(Secret),
  applicationId: Schema.optionalKey(Schema.String),
  privateKey: Schema.optionalKey(Schema.String),
  signatureSecret: Schema.optionalKey(Secret)
})

const Generic = Schema.Struct({
  ...common,
  description: Description.Description,
  token: Schema.optionalKey(Secret),
  signatureSecret: Schema.optionalKey(Secret)
})

/** @param json such as `{"twilio": {"accountSid": "AC…", "authToken": "…"}}`, with its secrets */
export const read = (json: unknown, path: string): Result.Result<SmsHttp, RoutesError> =>
  Result.gen(function* () {
    const [entry, ...others] = Predicate.isObject(json) ? Object.entries(json) : []
    if (entry === undefined || others.length > 0) {
      return yield* fault(path, 'must be an SMPP URL, or {"twilio": {…}}, {"vonage": {…}} or {"generic": {…}}')
    }
    const [provider, options] = entry
    switch (provider) {
      case "twilio": {
        const { apiKey, authToken, ...plain } = yield* decoded(Twilio, options, `${path}.twilio`)
        const key = apiKey === undefined ? {} : { apiKey: { sid: apiKey.sid, secret: Redacted.make(apiKey.secret) } }
        return { provider, options: { ...plain, ...key, authToken: Redacted.make(authToken) } }
      }
      case "vonage":
        return { provider, options: yield* vonage(yield* decoded(Vonage, options, `${path}.vonage`), `${path}.vonage`) }
      case "generic": {
        const { signatureSecret, token, ...plain } = yield* decoded(Generic, options, `${path}.generic`)
        return {
          provider,
          options: {
            ...plain,
            ...(token === undefined ? {} : { token: Redacted.make(token) }),
            ...(signatureSecret === undefined ? {} : { signatureSecret: Redacted.make(signatureSecret) })
          }
        }
      }
      default:
        return yield* fault(`${path}.${provider}`, "is no provider; use twilio, vonage or generic")
    }
  })

/** The same provider, which posts receipts to an address. */
export const calledBack = (http: SmsHttp, callbackUrl: string | undefined): SmsHttp => {
  switch (http.provider) {
    case "twilio":
      return { provider: "twilio", options: { ...http.options, callbackUrl } }
    case "vonage":
      return { provider: "vonage", options: { ...http.options, callbackUrl } }
    case "generic":
      return { provider: "generic", options: { ...http.options, callbackUrl } }
  }
}

const vonage = (
  { apiKey, apiSecret, applicationId, privateKey, signatureSecret, ...plain }: typeof Vonage.Type,
  path: string
) => {
  const own = { ...plain, signatureSecret: signatureSecret === undefined ? undefined : Redacted.make(signatureSecret) }
  if (applicationId !== undefined) {
    return privateKey === undefined
      ? fault(`${path}.privateKey`, "is required beside applicationId")
      : Result.succeed({ ...own, applicationId, privateKey })
  }
  if (apiKey === undefined) return fault(`${path}.apiKey`, "is required, or applicationId")
  return apiSecret === undefined
    ? fault(`${path}.apiSecret`, "is required beside apiKey")
    : Result.succeed({ ...own, apiKey, apiSecret: Redacted.make(apiSecret) })
}

const decoded = <A, I>(schema: Schema.Codec<A, I>, json: unknown, path: string): Result.Result<A, RoutesError> => {
  const read = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(json)
  if (Result.isSuccess(read)) return Result.succeed(read.success)
  const [issue = { path: "", message: "cannot be read" }] = fromSchemaError(read.failure)
  return fault(issue.path === "" ? path : `${path}.${issue.path}`, issue.message)
}
