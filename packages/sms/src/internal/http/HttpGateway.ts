/**
 * An SMS gateway to a provider with an HTTP API, by the provider's description.
 *
 * A text is asked for once. Without an answer that can be relied on the outcome is `Unknown`, and a receipt settles it:
 * by the provider's id, or by the recipient and the reference that the request named.
 */
import {
  EventHub,
  Http,
  type NotHandled,
  type Reply,
  Unrecognized,
  type Webhook,
  type WebhookRequest,
  foreign,
  respond
} from "@watchword/send/gateway"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { type Message, type Receipt, type Service, type SmsEvent, SmsGateway } from "../../SmsGateway.ts"
import { lifetime } from "../Lifetime.ts"
import { failureOf, throttled, tooBusy, tooLong, uncertain, unreachable, wrongParameters } from "./Failures.ts"
import { writtenTo } from "../texts/OwnNumbers.ts"
import { INTERNATIONAL } from "../texts/Originator.ts"
import * as TextMetrics from "../texts/TextMetrics.ts"
import { type CommonOptions, numbersOf } from "./Options.ts"
import { Pace } from "./Pace.ts"
import { type Answer, type Other, type Provider, type Receipts, type Texted, other } from "./Provider.ts"

/** Receipts are below 4 kB; some providers put several into one request. */
const MAX_RECEIPT_BYTES = 256 * 1024

const DEADLINE = 10

/** A gateway that lives as long as the scope. Its webhook answers 401 where the signature is wrong. */
export const make = Effect.fnUntraced(function* (
  provider: Provider,
  options: CommonOptions = {}
): Effect.fn.Return<Service, never, Scope> {
  const { authentication, baseUrl, name, receipts } = provider
  const http = yield* Http.make({ baseUrl, authentication, timeout: options.timeout })
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const pace = new Pace(options.rate ?? null)
  const deadline = (options.deadline ?? DEADLINE) * 1000
  const hub = new EventHub<SmsEvent, StoreError>()

  const unrecognized = new Unrecognized()
  const gateway = `sms:${name}`
  const count = (yield* TextMetrics.make)(gateway)
  const numbers = numbersOf(options)

  const unknownCode = (code: string, said: Said) =>
    unrecognized.note(gateway, "error_code", {
      word: code,
      isCode: true,
      message: "an SMS provider refused a text with a code that is not in its table of errors",
      details: { ...said }
    })

  /** Asks in the message's turn, and again where the provider has throttled and says that this is safe. */
  const ask = Effect.fnUntraced(function* (message: Message) {
    const begun = now()
    const until = begun + Math.min(deadline, message.patience ?? deadline, lifetime(message) * 1000)
    for (;;) {
      const begins = now()
      const turn = pace.turn(begins, Math.max(begins, until))
      if (turn === null) return rejected(tooBusy())
      if (turn > now()) yield* Effect.sleep(turn - now())
      if (!pace.holds(turn)) continue
      const request = provider.request({ ...message, validity: validityOf(message, now() - begun) })
      const reply = yield* http.ask({ ...request, repeatable: false, about: message.to })
      const answer = answerOf(provider, reply)
      if (answer === null) return rejected(unreachable())
      const said = saidIn(provider, reply)
      if ("code" in answer && answer.code !== null && !provider.isKnown(answer.code)) {
        yield* unknownCode(answer.code, said)
      }
      if (answer._tag !== "Throttled") {
        if (answer._tag !== "Unknown") pace.answered(now())
        return yield* outcomeOf(answer, said)
      }
      pace.throttled(now(), retryAfterOf(reply))
      yield* Effect.logWarning("an SMS provider throttles; the gateway slows down", {
        provider: name,
        code: answer.code
      })
      if (!answer.maySendAgain) return rejected(throttled(), detailsOf(answer.code))
    }
  })

  const outcomeOf = Effect.fnUntraced(function* (answer: Exclude<Answer, { readonly _tag: "Throttled" }>, said: Said) {
    switch (answer._tag) {
      case "Accepted":
        return accepted(answer.ids, answer.details)
      case "Unknown":
        return unknown(uncertain())
      case "Refused": {
        const { code, reason } = answer
        if (reason === "account") {
          yield* Effect.logError("an SMS provider does not let this service send", { provider: name, code, ...said })
        }
        return rejected(failureOf(reason), detailsOf(code))
      }
    }
  })

  const send = (message: Message): Effect.Effect<Outcome> => {
    const misfit = misfitOf(provider, message)
    return misfit === null ? Effect.uninterruptible(ask(message)) : Effect.succeed(rejected(misfit))
  }

  const noted = ({ kind, word }: Other) => unrecognized.note(gateway, kind, { word, message: others[kind] })

  const texted = Effect.fnUntraced(function* ({ from, text, to: written, word }: Texted) {
    const to = writtenTo({ ton: INTERNATIONAL, address: written }, numbers)
    if (to === null) {
      count("dropped")
      return yield* noted(other("subscriber_text", word))
    }
    const source = { ton: INTERNATIONAL, address: from }
    const published = hub.publish({ _tag: "Text", from: source, to, text, isWhole: true, carrier: null })
    yield* Effect.tapError(published, () => Effect.sync(() => count("again")))
    count("taken")
  })

  const take = Effect.fnUntraced(function* (item: Receipt | Texted | Other) {
    if (item._tag === "Texted") return yield* texted(item)
    if (item._tag === "Other") {
      if (item.kind === "subscriber_text") count("dropped")
      return yield* noted(item)
    }
    if (item.status === null) {
      const word = item.carrierStatus ?? ""
      yield* unrecognized.note(gateway, "receipt_state", { word, isCode: true, message: UNKNOWN_STATE })
    }
    yield* hub.publish(item)
  })

  return SmsGateway.of({
    send,
    events: (handle) => hub.subscribe(handle),
    carrier: name,
    ...(numbers.length === 0 ? {} : { receives: () => numbers }),
    health: Effect.map(http.isUp, (up) => [{ name, up, rate: pace.learned, ...unrecognized.of(gateway) }]),
    webhook: receipts === null ? null : webhookOf(name, receipts, take)
  })
})

/** Null if the provider was not asked. */
const answerOf = (provider: Provider, reply: Reply): Answer | null => {
  switch (reply._tag) {
    case "NotAsked":
      return null
    case "NoAnswer":
      return { _tag: "Unknown" }
    case "Answer":
      return provider.answer(reply.status, reply.body)
    case "Garbled":
      return provider.answer(reply.status, undefined)
  }
}

const retryAfterOf = (reply: Reply): number =>
  reply._tag === "Answer" || reply._tag === "Garbled" ? Duration.toMillis(reply.retryAfter ?? Duration.zero) : 0

const misfitOf = ({ longestText, tlvs }: Provider, message: Message) => {
  if (longestText !== null && message.text.source.length > longestText) return tooLong(longestText)
  return message.tlvs.every(({ tag }) => tlvs.includes(tag)) ? null : wrongParameters()
}

/** Seconds that are left of a message's use. */
const validityOf = (message: Message, waited: number): number | null => {
  const seconds = lifetime(message) - waited / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : null
}

const detailsOf = (code: string | null) => (code === null ? {} : { carrier_error: code })

const UNKNOWN_STATE = "a receipt of an SMS provider has a status that is not known; the record keeps the word"

const others: { readonly [K in Other["kind"]]: string } = {
  subscriber_text: "a user has written to a number at an SMS provider that is not in receives; the text was dropped",
  receipt: "an SMS provider posts something that is no receipt"
}

interface Said {
  readonly said?: string
}

/** The words of an answer, fit for a line of the log. */
const saidIn = (provider: Provider, reply: Reply): Said => {
  const said = reply._tag === "Answer" ? provider.said(reply.body) : undefined
  return typeof said === "string" ? { said: foreign(said, LONGEST_WORDS) } : {}
}

const LONGEST_WORDS = 200

const webhookOf = (
  name: string,
  receipts: Receipts,
  take: (item: Receipt | Texted | Other) => Effect.Effect<void, NotHandled | StoreError>
): Webhook => {
  const receive = Effect.fnUntraced(
    function* (request: WebhookRequest) {
      // A copy, so that the bytes cannot change between verification and parsing.
      const copied = { ...request, rawBody: new Uint8Array(request.rawBody) }
      if (!(yield* receipts.isGenuine(copied))) return respond(401, "INVALID_SIGNATURE")
      const items = receipts.read(copied)
      if (items === null) return respond(400, "INVALID_BODY")
      for (const item of items) yield* take(item)
      return respond(200)
    },
    Effect.catchTags({
      // Providers repeat a receipt that is not answered 200.
      NotHandled: ({ message }) => Effect.succeed(respond(503, message)),
      StoreError: (error) =>
        Effect.as(
          Effect.logError("a receipt of an SMS provider was not stored", { provider: name }, error),
          respond(503)
        )
    })
  )
  return {
    maxBodyBytes: MAX_RECEIPT_BYTES,
    signatureHeaders: receipts.signatureHeaders,
    handle: (request) => (request.method === "POST" ? receive(request) : Effect.succeed(respond(405)))
  }
}
