/**
 * The WhatsApp Cloud API. A code goes out in an authentication template, the only message that reaches people who have
 * not written in the last 24 hours; without a template the text goes out as it is. Each message carries its delivery's
 * id, by which one whose answer was lost is known again.
 *
 * Source: the Cloud API, "Messages", "Authentication templates".
 */
import {
  type Gateway,
  Authentication,
  EventHub,
  Http,
  type Notice,
  type Reply,
  type Secret,
  Unrecognized,
  type WebhookRequest,
  redacted,
  respond
} from "@watchword/send/gateway"
import { codeIn } from "@watchword/schemas/Sms"
import { invalid } from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import {
  type BizchatEvent,
  BizchatGateway,
  type Content,
  type Service,
  type TextMessage
} from "../../BizchatGateway.ts"
import * as BizchatRecord from "../BizchatRecord.ts"
import { answerOf } from "./Answer.ts"
import { NOT_TRANSLATED } from "./ErrorCodes.ts"
import { failureOf, held, uncertain, unreachable } from "./Failures.ts"
import * as Log from "./Log.ts"
import * as News from "./News.ts"
import { type Item, itemsOf } from "./Notification.ts"
import { hiding as hidingText } from "./Said.ts"
import * as TemplateLanguages from "./TemplateLanguages.ts"
import { WebhookError, isGenuine, subscribe } from "./Webhook.ts"

/** The name of the gateway, and of its carrier on records. */
const NAME = "whatsapp"

const SIGNATURE_HEADER = "x-hub-signature-256"

/** The platform puts many events into one notification: up to 3 MB. */
const MAX_NOTIFICATION_BYTES = 3 * 1024 * 1024

/** Notices that may wait to be stored. */
const NOTICES = 100

/** Secrets are read for each request and each event, so that getters may give others later. */
export interface Options {
  /** The access token of a system user. */
  readonly token: Secret
  /** The platform's id of the number that texts come from. */
  readonly phoneNumberId: string
  /**
   * The approved authentication template, and the language of texts without a locale or whose locale it has no
   * translation for; without a template, plain text is sent.
   */
  readonly template?: { readonly name: string; readonly language: string } | undefined
  /**
   * The number that texts come from, in E.164 form, at which users can write to the service; without it their texts
   * are not taken. Needs `appSecret`.
   */
  readonly receives?: string | undefined
  /** What notifications are signed with; without it none is taken. */
  readonly appSecret?: Secret | undefined
  /** The token by which the platform subscribes; without it, it cannot. */
  readonly verifyToken?: Secret | undefined
  /** https://graph.facebook.com by default. */
  readonly baseUrl?: string | undefined
  /** The Graph API's version; v23.0 by default. Ignored if `baseUrl` ends in a version. */
  readonly version?: string | undefined
  /** Seconds for each request to the platform; 10 by default. */
  readonly timeout?: number | undefined
}

/**
 * A gateway that lives as long as the scope. Its webhook answers subscriptions (GET) with their challenge, or
 * 403, and takes notifications (POST) that the app's secret has signed; others are 401.
 */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Service, never, Scope> {
  const http = yield* Http.make({
    baseUrl: versioned(options),
    authentication: Effect.suspend(() => Authentication.bearer(redacted(options.token))),
    timeout: options.timeout,
    restIn
  })
  const path = `${encodeURIComponent(options.phoneNumberId)}/messages`
  const hub = new EventHub<BizchatEvent, StoreError>()

  const notices = new EventHub<Notice>(NOTICES)
  const publish = (notice: Notice): void => notices.offer(notice, () => undefined)
  const receives = options.receives === undefined ? [] : [numberOf(options.receives)]
  const unrecognized = new Unrecognized()
  const log = Log.make(NAME, unrecognized)

  const languages = TemplateLanguages.make(options.template?.language ?? "")

  const written = (content: Content, language: string) =>
    options.template === undefined ? plainText(content) : fromTemplate({ ...options.template, language }, content)

  const check = (content: Content) => (written(content, "") === null ? Effect.fail(noCode(content)) : Effect.void)

  const ask = Effect.fnUntraced(function* (message: TextMessage, content: object) {
    const body = {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: message.to,
      biz_opaque_callback_data: message.delivery,
      ...content
    }
    return answerOf(yield* http.ask({ path, body, repeatable: false, about: message.to }))
  })

  /** Asks for one language after the other, until the template is translated to it. */
  const askInTurn = Effect.fnUntraced(function* (message: TextMessage) {
    const now = yield* Clock.currentTimeMillis
    const [first = "", ...others] = languages.of(message.locale, now)
    let language = first
    let answer = yield* ask(message, written(message, language) ?? {})
    for (const next of others) {
      if (answer._tag !== "Refused" || answer.refusal.code !== NOT_TRANSLATED) return answer
      yield* Effect.logWarning(`WhatsApp has no template in ${language}; ${next} is tried`)
      languages.miss(language, now)
      language = next
      answer = yield* ask(message, written(message, language) ?? {})
    }
    return answer
  })

  const send = Effect.fnUntraced(function* (message: TextMessage) {
    if (written(message, "") === null) return rejected(noCode(message))
    const answer = yield* askInTurn(message)
    switch (answer._tag) {
      case "Taken":
        if (answer.otherStatus !== null) yield* log.other("message_status", answer.otherStatus)
        return accepted([answer.messageId])
      case "Held":
        yield* log.held(answer.status)
        if (options.template !== undefined) publish(News.held(options.template.name))
        return unknown(held(), [answer.messageId], BizchatRecord.held)
      case "Refused":
        yield* log.refused(answer.refusal, hiding(message))
        return rejected(failureOf(answer.refusal), BizchatRecord.failed(answer.refusal.code))
      case "NotAsked":
        return rejected(unreachable())
      case "Uncertain":
        if (answer.code !== null) yield* log.uncertain(answer.code, hiding(message)(answer.said))
        return unknown(uncertain())
    }
  }, Effect.uninterruptible)

  const take = Effect.fnUntraced(function* (item: Item) {
    switch (item._tag) {
      case "Status":
        if (item.event.status === "failed") yield* log.failed(item.event.errorCode, item.said)
        return yield* hub.publish(item.event)
      case "Text":
        if (receives.length > 0 && item.at === options.phoneNumberId) return yield* hub.publish(item.event)
        return yield* log.other("subscriber_text", "text")
      case "Error":
        return yield* log.reported(item.code, item.said)
      case "News": {
        yield* log.news(item.news)
        const notice = News.noticeOf(item.news, options.template?.name ?? null)
        return notice === null ? undefined : publish(notice)
      }
      case "Other":
        return yield* log.other(item.kind, item.word)
    }
  })

  const receive = Effect.fnUntraced(
    function* ({ headers, rawBody }: WebhookRequest) {
      const signature = headers[SIGNATURE_HEADER]
      // A copy, so that the bytes cannot change between verification and parsing.
      const bytes = new Uint8Array(rawBody)
      if (!(yield* isGenuine(bytes, signature, redacted(options.appSecret ?? "")))) {
        return yield* new WebhookError({ code: "INVALID_SIGNATURE" })
      }
      for (const item of itemsOf(yield* parse(bytes))) yield* take(item)
      return respond(200)
    },
    Effect.catchTags({
      WebhookError: ({ code }) => Effect.succeed(respond(code === "INVALID_SIGNATURE" ? 401 : 400, code)),
      // The platform repeats events that are not answered 200.
      NotHandled: ({ message }) => Effect.succeed(respond(503, message)),
      StoreError: (error) => Effect.as(Effect.logError("an event of WhatsApp was not stored", error), respond(503))
    })
  )

  const subscription = ({ query }: WebhookRequest) =>
    Effect.map(
      subscribe(query, redacted(options.verifyToken ?? "")),
      Option.match({ onNone: () => respond(403), onSome: (challenge) => respond(200, challenge) })
    )

  return BizchatGateway.of({
    check,
    send,
    events: (handle) => hub.subscribe(handle),
    carrier: NAME,
    ...(receives.length > 0 ? { receives } : {}),
    notices: (handle) => notices.subscribe(handle),
    health: Effect.map(http.isUp, (up) => [{ name: NAME, up, ...unrecognized.of(NAME) }]),
    webhook: {
      maxBodyBytes: MAX_NOTIFICATION_BYTES,
      signatureHeaders: [SIGNATURE_HEADER],
      handle: (request) => (request.method === "GET" ? subscription(request) : receive(request))
    }
  })
})

/**
 * The platform as a gateway.
 *
 * @example
 * ```ts
 * import { whatsapp } from "@watchword/bizchat/whatsapp"
 *
 * const bizchat = whatsapp({
 *   token: "EAAG…",
 *   phoneNumberId: "106540352242922",
 *   template: { name: "otp", language: "en_US" }
 * })
 * ```
 */
export const whatsapp = (options: Options): Gateway<BizchatGateway> => Layer.effect(BizchatGateway, make(options))

const decodeNumber = Schema.decodeUnknownExit(E164)

const numberOf = (receives: string): E164 => {
  const decoded = decodeNumber(receives)
  if (Exit.isSuccess(decoded)) return decoded.value
  throw new RangeError(`WhatsApp's option receives must be its number in E.164 form, such as +4915123456789`)
}

/** How long requests pause when the platform says "too much" without a duration. */
const PAUSE = Duration.seconds(1)

const restIn = (reply: Reply): Duration.Duration | null => {
  const answer = answerOf(reply)
  return answer._tag === "Refused" && answer.refusal.backOff === true ? PAUSE : null
}

const LONGEST_CODE = 15

const versioned = ({ baseUrl = "https://graph.facebook.com", version = "v23.0" }: Options): string => {
  const base = baseUrl.replace(/\/+$/, "")
  return /\/v\d+\.\d+$/.test(base) ? base : `${base}/${version}`
}

const plainText = (content: Content) => ({ type: "text", text: { body: Redacted.value(content.text) } })

/** The code is in the body and behind the button that copies it. */
const fromTemplate = (template: NonNullable<Options["template"]>, content: Content) => {
  const code = codeOf(content)
  if (code === null || code.length === 0 || code.length > LONGEST_CODE) return null
  const parameters = [{ type: "text", text: code }]
  return {
    type: "template",
    template: {
      name: template.name,
      language: { code: template.language },
      components: [
        { type: "body", parameters },
        { type: "button", sub_type: "url", index: "0", parameters }
      ]
    }
  }
}

const codeOf = ({ code, text }: Content): string | null =>
  code === null ? codeIn(Redacted.value(text)) : Redacted.value(code)

/** An error may repeat the parameter that is wrong. */
const hiding = (content: Content) => hidingText([codeOf(content), Redacted.value(content.text)])

const noCode = ({ code }: Content) =>
  invalid([
    code === null
      ? { path: "text", message: "must have one code of 4 to 8 digits in it, or the code must be given as code" }
      : { path: "code", message: `must have 1 to ${LONGEST_CODE} characters` }
  ])

const parse = (rawBody: Uint8Array): Effect.Effect<unknown, WebhookError> =>
  Effect.try({
    try: () => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(rawBody)),
    catch: () => new WebhookError({ code: "INVALID_BODY" })
  })
