/**
 * Where alarms go: a signed webhook, a chat that takes Slack's form, and e-mail.
 */
import { signWebhook } from "@watchword/callback-signature/webhook"
import { type WebhookAnswer, WebhookSender, inWords, isTaken } from "@watchword/events/Events"
import { USER_AGENT } from "@watchword/send/gateway"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Notice, eventOf, idOf, linesOf, titleOf } from "./Notice.ts"

/** A mail as a mail server takes it. */
export interface Mail {
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** The same each time the mail is sent: the first part of its Message-ID. */
  readonly id: string
}

/** What came of notices. */
export interface Sent {
  readonly taken: ReadonlyArray<Notice>
  /** The last answer in a few words, such as `204` or `timeout`. */
  readonly answer: string
}

export interface Destination {
  readonly name: "webhook" | "slack" | "email"
  readonly send: (notices: ReadonlyArray<Notice>) => Effect.Effect<Sent>
}

/** Longer than a webhook may take, which ends after 15 seconds. */
const WITHIN = "20 seconds"

/** One request for each notice, in the form and with the signature of all webhooks. */
export const webhook = (url: string, secret: Redacted.Redacted): Destination => ({
  name: "webhook",
  send: Effect.fnUntraced(function* (notices) {
    const taken: Array<Notice> = []
    let answer = ""
    for (const notice of notices) {
      const now = yield* Clock.currentTimeMillis
      const body = JSON.stringify(eventOf(notice, now))
      const timestamp = Math.floor(now / 1000)
      const signed = yield* Effect.promise(() =>
        signWebhook(body, { secrets: [Redacted.value(secret)], id: idOf(notice), timestamp })
      )
      answer = inWords(yield* post(url, body, signed))
      if (!isTaken(answer)) break
      taken.push(notice)
    }
    return { taken, answer }
  })
})

/** One message for all notices: `{ "text": … }`. */
export const slack = (url: Redacted.Redacted): Destination => ({
  name: "slack",
  send: Effect.fnUntraced(function* (notices) {
    const text = notices.map((notice) => escaped(linesOf(notice).join("\n"))).join("\n\n")
    const answer = inWords(yield* post(Redacted.value(url), JSON.stringify({ text }), {}))
    return { taken: isTaken(answer) ? notices : [], answer }
  })
})

/** One mail for all notices. */
export const email = (to: ReadonlyArray<string>, send: (mail: Mail) => Promise<void>): Destination => ({
  name: "email",
  send: (notices) => {
    const [first] = notices
    if (first === undefined) return Effect.succeed({ taken: [], answer: "" })
    const subject = notices.length === 1 ? titleOf(first) : `${notices.length} alarms: ${titleOf(first)}`
    const text = notices.map((notice) => linesOf(notice).join("\n")).join("\n\n")
    return Effect.tryPromise({
      try: () => send({ to, subject: `Watchword: ${subject}`, text: `${text}\n`, id: idOf(first) }),
      catch: reasonOf
    }).pipe(
      Effect.timeoutOrElse({ duration: WITHIN, orElse: () => Effect.fail("timeout") }),
      Effect.match({
        onFailure: (answer) => ({ taken: [], answer }),
        onSuccess: () => ({ taken: notices, answer: "accepted" })
      })
    )
  }
})

const post = (url: string, body: string, headers: Readonly<Record<string, string>>): Effect.Effect<WebhookAnswer> =>
  WebhookSender.use(({ send }) =>
    send({ url, body, headers: { ...headers, "content-type": "application/json", "user-agent": USER_AGENT } })
  )

/** Slack gives these three a meaning. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Only the code of an error, because a message may repeat addresses and passwords. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "failed"
