/**
 * Vonage, by the key of an account or by an application.
 */
import { fault } from "@watchword/send/routes"
import type { VonageOptions } from "@watchword/sms/http"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fileText, text } from "../Reading.ts"
import { readOptional, readRequired } from "../Setting.ts"
import { Secret, common, make, optional, secret } from "./Provider.ts"

const settings = {
  apiKey: optional("VONAGE_API_KEY", text, { description: "Vonage: the account" }),
  apiSecret: secret("VONAGE_API_SECRET", "the account's secret"),
  applicationId: optional("VONAGE_APPLICATION_ID", text, { description: "an application instead of the account" }),
  privateKey: optional("VONAGE_PRIVATE_KEY_FILE", fileText, {
    description: "the file with the application's private key",
    isFile: true,
    reloads: "smsHttp"
  }),
  signatureSecret: secret("VONAGE_SIGNATURE_SECRET", "the key that signs receipts; without it none is taken")
}

const Json = Schema.Struct({
  ...common,
  apiKey: Schema.optionalKey(Schema.String),
  apiSecret: Schema.optionalKey(Secret),
  applicationId: Schema.optionalKey(Schema.String),
  privateKey: Schema.optionalKey(Schema.String),
  signatureSecret: Schema.optionalKey(Secret)
})

export const vonage = make<VonageOptions, typeof Json.Type>({
  name: "vonage",
  settings,
  ofEnvironment: (environment) =>
    Result.gen(function* () {
      const signatureSecret = Option.getOrUndefined(yield* readOptional(environment, settings.signatureSecret))
      const applicationId = yield* readOptional(environment, settings.applicationId)
      if (Option.isSome(applicationId)) {
        const privateKey = yield* readRequired(environment, settings.privateKey)
        return { applicationId: applicationId.value, privateKey, signatureSecret }
      }
      return {
        apiKey: yield* readRequired(environment, settings.apiKey),
        apiSecret: yield* readRequired(environment, settings.apiSecret),
        signatureSecret
      }
    }),
  json: Json,
  ofJson: ({ apiKey, apiSecret, applicationId, privateKey, ...own }, path) => {
    if (applicationId !== undefined) {
      return privateKey === undefined
        ? fault(`${path}.privateKey`, "is required with applicationId")
        : Result.succeed({ ...own, applicationId, privateKey })
    }
    if (apiKey === undefined) return fault(`${path}.apiKey`, "is required, or applicationId")
    return apiSecret === undefined
      ? fault(`${path}.apiSecret`, "is required with apiKey")
      : Result.succeed({ ...own, apiKey, apiSecret })
  },
  open: async (options) => (await import("@watchword/sms/http")).vonage(options),
  isUnsigned: ({ signatureSecret }) => signatureSecret === undefined
})
