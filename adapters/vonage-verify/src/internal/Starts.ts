/**
 * Starts of verifications: Vonage's body, and the start of the service that it asks for.
 *
 * Source: https://developer.vonage.com/en/api/verify.v2, `newRequest`.
 */
import { type Issue, fromSchemaError } from "@watchword/schemas/Errors"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidParameter } from "./Problems.ts"
import { invalidParameters } from "./Refused.ts"
import type { StartOf } from "./Verifications.ts"

/** Keeps these verifications apart from verifications of the service's own interface. */
export const PURPOSE = "vonage"

/** Vonage ends a verification at the third wrong code. */
const CHECKS = 3

/** In seconds. */
const CHANNEL_TIMEOUT = 300

const text = (least: number, most: number) =>
  Schema.String.check(
    Schema.isMinLength(least, { message: `must have ${least} to ${most} characters` }),
    Schema.isMaxLength(most, { message: `must have ${least} to ${most} characters` })
  )

const whole = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }, { message: `must be ${minimum} to ${maximum}` }))

const NOT_SERVED: ReadonlyMap<string, string> = new Map([
  ["email", "is not served: this server sends codes to phone numbers"],
  ["rcs", "is not served: use sms or whatsapp"],
  ["silent_auth", "is not served: begin the workflow with sms or whatsapp"],
  ["whatsapp_interactive", "is not served: use whatsapp"]
])

const MAY_BE = "must be sms or whatsapp"

const Channel = Schema.String.check(
  Schema.makeFilter((channel) =>
    channel === "sms" || channel === "whatsapp" || channel === "voice" ? undefined : (NOT_SERVED.get(channel) ?? MAY_BE)
  )
)

/** A number without its plus sign, as Vonage has it, or with it, as some apps send it. */
const Number = Schema.String.check(
  Schema.isPattern(/^\+?[1-9][0-9]{6,14}$/, {
    message: "must be a phone number with its country code, such as 4915123456789"
  })
)

const Step = Schema.Struct({
  channel: Channel,
  to: Number,
  app_hash: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const Body = Schema.Struct({
  brand: text(1, 16),
  workflow: Schema.Array(Step).check(
    Schema.isMinLength(1, { message: "must have a step" }),
    Schema.isMaxLength(4, { message: "must have at most 4 steps" })
  ),
  locale: Schema.optionalKey(Schema.NullOr(Schema.String)),
  channel_timeout: Schema.optionalKey(Schema.NullOr(whole(15, 900))),
  client_ref: Schema.optionalKey(Schema.NullOr(text(1, 16))),
  code_length: Schema.optionalKey(Schema.NullOr(whole(4, 10))),
  code: Schema.optionalKey(Schema.NullOr(Schema.String)),
  template_id: Schema.optionalKey(Schema.NullOr(Schema.String))
})
type Body = typeof Body.Type

const decode = Schema.decodeUnknownResult(Body, { errors: "all" })

/** The start that a body asks for. Throws `Refused` for a body that is not valid. */
export const startOf = (given: unknown, flashes: boolean): StartOf => {
  const read = decode(given ?? {})
  if (Result.isFailure(read)) throw invalidParameters(fromSchemaError(read.failure).map(parameterOf))
  const body = read.success
  const refusals = [...voiceRefusals(body, flashes), ...numberRefusals(body)]
  if (refusals.length > 0) throw invalidParameters(refusals)
  return translated(body)
}

const voiceRefusals = ({ workflow }: Body, flashes: boolean): ReadonlyArray<InvalidParameter> =>
  flashes
    ? []
    : workflow.flatMap(({ channel }, place) =>
        channel === "voice"
          ? [
              {
                name: `workflow[${place}].channel`,
                reason: "voice is not served: no channel of this server reads a code aloud"
              }
            ]
          : []
      )

/** A verification here is of one number. */
const numberRefusals = ({ workflow }: Body): ReadonlyArray<InvalidParameter> => {
  const [first] = workflow
  return workflow.flatMap(({ to }, place) =>
    first === undefined || digits(to) === digits(first.to)
      ? []
      : [{ name: `workflow[${place}].to`, reason: "must be the number of the first step" }]
  )
}

const translated = (body: Body): StartOf => {
  const timeout = body.channel_timeout ?? CHANNEL_TIMEOUT
  const { code, client_ref: clientRef, template_id: template } = body
  const appHash = body.workflow.find((step) => typeof step.app_hash === "string")?.app_hash
  return {
    to: `+${digits(body.workflow[0]?.to ?? "")}`,
    workflow: body.workflow.map(({ channel }) => ({ channel: OURS[channel] ?? channel, timeout })),
    purpose: PURPOSE,
    // The service's shortest life of a code is a minute.
    ttl: Math.min(3600, Math.max(60, timeout * body.workflow.length)),
    max_checks: CHECKS,
    // The text has the account's own name: a name from outside would let an app sign with any.
    metadata: { brand: body.brand },
    ...(typeof code === "string" ? { code } : { code_length: body.code_length ?? 4 }),
    ...(typeof body.locale === "string" ? { locale: localeOf(body.locale) } : {}),
    ...(typeof clientRef === "string" ? { client_ref: clientRef } : {}),
    ...(typeof template === "string" ? { template } : {}),
    ...(typeof appHash === "string" ? { app_hash: appHash } : {})
  }
}

const OURS: Readonly<Record<string, string>> = { sms: "sms", whatsapp: "bizchat", voice: "call" }

const digits = (number: string): string => number.replace("+", "")

/** `en-us` of Vonage is `en-US` of BCP 47. The service refuses any other text. */
const localeOf = (locale: string): string => {
  try {
    return new Intl.Locale(locale).toString()
  } catch {
    return locale
  }
}

/** An issue of the service's start, by the name that the field has in Vonage's body. */
export const parameterOf = ({ message, path }: Issue): InvalidParameter => ({
  name: NAMES.find(([ours]) => ours.test(path))?.[1] ?? path,
  reason: message
})

const NAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^$/, "body"],
  [/^(?:filter\.)?to$/, "workflow[0].to"],
  [/^template$/, "template_id"],
  [/^ttl$|\.timeout$/, "channel_timeout"],
  [/^app_hash$/, "workflow[0].app_hash"]
]
