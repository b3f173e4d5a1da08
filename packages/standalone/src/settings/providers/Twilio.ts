/**
 * Twilio.
 */
import type { TwilioOptions } from "@watchword/sms/http"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { text } from "../Reading.ts"
import { readOptional, readRequired } from "../Setting.ts"
import { Secret, common, make, optional, secret } from "./Provider.ts"

const settings = {
  accountSid: optional("TWILIO_ACCOUNT_SID", text, { description: "Twilio: the account" }),
  authToken: secret("TWILIO_AUTH_TOKEN", "the token that authenticates requests and signs receipts"),
  apiKeySid: optional("TWILIO_API_KEY_SID", text, {
    description: "an API key that authenticates requests instead of the auth token",
    needs: ["TWILIO_API_KEY_SECRET"]
  }),
  apiKeySecret: secret("TWILIO_API_KEY_SECRET", "the secret of the API key", ["TWILIO_API_KEY_SID"]),
  messagingServiceSid: optional("TWILIO_MESSAGING_SERVICE_SID", text, {
    description: "the messaging service that chooses the sender"
  })
}

export const twilio = make<TwilioOptions, TwilioOptions>({
  name: "twilio",
  settings,
  variables: { "apiKey.sid": settings.apiKeySid.name, "apiKey.secret": settings.apiKeySecret.name },
  ofEnvironment: (environment) =>
    Result.gen(function* () {
      const sid = yield* readOptional(environment, settings.apiKeySid)
      const secret = yield* readOptional(environment, settings.apiKeySecret)
      return {
        accountSid: yield* readRequired(environment, settings.accountSid),
        authToken: yield* readRequired(environment, settings.authToken),
        apiKey: Option.getOrUndefined(Option.all({ sid, secret })),
        messagingServiceSid: Option.getOrUndefined(yield* readOptional(environment, settings.messagingServiceSid))
      }
    }),
  json: Schema.Struct({
    ...common,
    accountSid: Schema.String,
    authToken: Secret,
    apiKey: Schema.optionalKey(Schema.Struct({ sid: Schema.String, secret: Secret })),
    messagingServiceSid: Schema.optionalKey(Schema.String)
  }),
  ofJson: Result.succeed,
  open: async (options) => (await import("@watchword/sms/http")).twilio(options)
})
