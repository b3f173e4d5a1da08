/**
 * A provider that a file describes.
 */
import type { GenericOptions } from "@watchword/sms/http"
import { Description, readDescription } from "@watchword/sms/options"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Parse, jsonFile } from "../Reading.ts"
import { readOptional, readRequired } from "../Setting.ts"
import { Secret, common, make, optional, secret } from "./Provider.ts"

const descriptionFile: Parse<Description> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(readDescription(json), ({ message }) => `names a file in which ${message.replace(/\.$/, "")}`)
  )

const settings = {
  description: optional("SMS_HTTP_DESCRIPTION", descriptionFile, {
    description: "another provider: path of a JSON file that [describes](../sms.md#providers-with-an-http-api) it",
    isFile: true
  }),
  token: secret("SMS_HTTP_TOKEN", "its token"),
  signatureSecret: secret("SMS_HTTP_SIGNATURE_SECRET", "the key that signs its receipts")
}

export const generic = make<GenericOptions, GenericOptions>({
  name: "generic",
  settings,
  ofEnvironment: (environment) =>
    Result.gen(function* () {
      const description = yield* readRequired(environment, settings.description)
      return {
        description,
        token: Option.getOrUndefined(yield* readOptional(environment, settings.token)),
        signatureSecret:
          description.receipts === undefined ? undefined : yield* readRequired(environment, settings.signatureSecret)
      }
    }),
  json: Schema.Struct({
    ...common,
    description: Description,
    token: Schema.optionalKey(Secret),
    signatureSecret: Schema.optionalKey(Secret)
  }),
  ofJson: Result.succeed,
  open: async (options) => (await import("@watchword/sms/http")).generic(options)
})
