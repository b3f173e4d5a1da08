/**
 * Any provider whose API takes one text a request and answers in JSON, through a description that consists only of
 * data.
 *
 * Source: https://github.com/standard-webhooks/standard-webhooks (symmetric signatures, `v1`).
 */
import { type Gateway, Authentication, type Secret, redacted } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SmsGateway } from "../../SmsGateway.ts"
import { type Description, read } from "./Description.ts"
import { codeOf, detailsOf, idOf } from "./Fields.ts"
import { make } from "./HttpGateway.ts"
import {
  type CommonOptions,
  type SmsHttpOptionsError,
  address,
  callback,
  invalid,
  secret,
  takesTexts
} from "./Options.ts"
import { first, valuesAt } from "./Paths.ts"
import { type Answer, type Provider, answerOfStatus } from "./Provider.ts"
import { receiptsOf } from "./GenericReceipts.ts"
import * as Template from "./Template.ts"

export interface GenericOptions extends CommonOptions {
  /** Checked when the gateway opens, so that it may come of a JSON file. */
  readonly description: Description
  /** The bearer token, the password or the value of the header that the description names. */
  readonly token?: Secret | undefined
  /** Signs receipts; needed where the description has them. */
  readonly signatureSecret?: Secret | undefined
}

/**
 * Texts through a provider that a description explains.
 *
 * @example
 * ```ts
 * import { generic } from "@watchword/sms/http"
 *
 * const sms = generic({
 *   description: {
 *     name: "acme",
 *     url: "https://sms.acme.example/messages",
 *     authentication: { scheme: "bearer" },
 *     body: { to: "{{to}}", from: "{{from}}", text: "{{text}}", ref: "{{reference}}", callback: "{{callback_url}}" },
 *     answer: { id: "message.id", error: "error.code", refused: { "invalid-number": "recipient" } },
 *     receipts: {
 *       signature: { scheme: "standard-webhooks" },
 *       id: "message.id",
 *       status: "message.status",
 *       statuses: { DELIVRD: "delivered", UNDELIV: "undelivered" },
 *       reference: "message.ref",
 *       to: "message.to"
 *     }
 *   },
 *   token: "secret",
 *   signatureSecret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
 * })
 * ```
 */
export const generic = (options: GenericOptions): Gateway<SmsGateway, SmsHttpOptionsError> =>
  Layer.effect(
    SmsGateway,
    Effect.flatMap(describe(options), (provider) => make(provider, options))
  )

/** The description, checked. */
export const describe = Effect.fnUntraced(function* (options: GenericOptions) {
  const description = yield* Effect.fromResult(read(options.description))
  const { body, encoding, headers = {}, method, receipts } = description
  for (const name of Template.placeholdersOf([body, headers])) {
    if (!Template.isKnown(name)) {
      return yield* invalid("description.body", `has {{${name}}}; known are ${Template.names.join(", ")} and tlv.1400`)
    }
  }
  if (description.authentication.scheme !== "none") yield* secret("token", options.token)
  if (receipts !== undefined) yield* secret("signatureSecret", options.signatureSecret)
  const callbackUrl = (yield* callback(options)) ?? null
  yield* takesTexts(
    options,
    description.texts !== undefined,
    "texts in the description, which says how they are posted"
  )
  const provider: Provider = {
    name: description.name,
    baseUrl: yield* address("description.url", options.baseUrl ?? description.url),
    authentication: Effect.suspend(() => authenticationOf(description.authentication, redacted(options.token ?? ""))),
    longestText: description.longestText ?? null,
    tlvs: Template.tagsOf([body, headers]),
    request: (message) => {
      const values = Template.valuesOf(message, callbackUrl)
      const filled = Object.entries(headers).map(([name, value]) => [name, Template.fillText(value, values)])
      return {
        method,
        path: "",
        headers: Object.fromEntries(filled),
        body: Template.fillRecord(body, values),
        encoding
      }
    },
    answer: (status, answered) => answerOf(description.answer, status, answered),
    isKnown: (code) =>
      Object.hasOwn(description.answer.refused ?? {}, code) || description.answer.throttled?.includes(code) === true,
    said: () => undefined,
    receipts:
      receipts === undefined
        ? null
        : receiptsOf(receipts, description.texts, () => redacted(options.signatureSecret ?? ""))
  }
  return provider
})

const authenticationOf = (
  scheme: Description["authentication"],
  token: Redacted.Redacted
): Authentication.Authentication => {
  switch (scheme.scheme) {
    case "bearer":
      return Authentication.bearer(token)
    case "basic":
      return Authentication.basic(scheme.user, token)
    case "header":
      return Authentication.header(scheme.name, token)
    case "none":
      return Authentication.none
  }
}

/** A code that the description knows goes before the status; without one a refusal needs a status that says so. */
const answerOf = (fields: Description["answer"], status: number, body: unknown): Answer => {
  const code = codeOf(first(body, fields.error))
  const maySendAgain = fields.throttledIsNotTaken ?? false
  if (code !== null && fields.throttled?.includes(code) === true) return { _tag: "Throttled", code, maySendAgain }
  const reason = code !== null && Object.hasOwn(fields.refused ?? {}, code) ? fields.refused?.[code] : undefined
  if (reason !== undefined) return { _tag: "Refused", reason, code }
  if (status < 300 && isAccepted(fields.accepted, body)) {
    const ids = valuesAt(body, fields.id).flatMap((value) => idOf(value) ?? [])
    if (ids.length > 0) return { _tag: "Accepted", ids: [...new Set(ids)], details: detailsIn(fields, body) }
  }
  const byStatus = answerOfStatus(status, code)
  return byStatus._tag === "Throttled" ? { ...byStatus, maySendAgain } : byStatus
}

const isAccepted = (condition: Description["answer"]["accepted"], body: unknown): boolean => {
  if (condition === undefined) return true
  const found = valuesAt(body, condition.at)
  return found.length > 0 && found.every((value) => condition.values.includes(String(value)))
}

const detailsIn = ({ currency, parts, price }: Description["answer"], body: unknown) =>
  detailsOf({ parts: first(body, parts), price: first(body, price), currency: first(body, currency) })
