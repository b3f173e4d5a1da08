/**
 * One attempt to deliver an event to an endpoint: signs it, sends it, and interprets the answer.
 */
import { signWebhook } from "@watchword/callback-signature/webhook"
import { USER_AGENT } from "@watchword/send/gateway"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AnyEvent } from "./Described.ts"
import { type Secret, secretsAt } from "./Endpoint.ts"
import { type WebhookAnswer, WebhookSender } from "./WebhookSender.ts"
import * as Answer from "./Answer.ts"

export interface Outcome {
  readonly _tag: "Taken" | "Gone" | "Failed"
  readonly answer: string
  /** The answer as the store keeps it. */
  readonly kept: string
}

/** An event with the id that it has in all attempts. */
export type Identified = AnyEvent & { readonly id: string }

/**
 * Taken by a 2xx. An endpoint that answers 410 wants no more events. @param id of the event, or of the attempt at
 * several
 */
export type Deliver = (to: Receiver, id: string, body: AnyEvent | ReadonlyArray<Identified>) => Effect.Effect<Outcome>

export interface Receiver {
  readonly url: string
  readonly secrets: ReadonlyArray<Secret>
}

/** A post of events, and how it was answered. */
export interface Posted {
  readonly url: string
  /** The types of the events. */
  readonly types: ReadonlyArray<string>
  readonly outcome: Outcome
  /** Milliseconds. */
  readonly took: number
}

/** Hears of each post, as a development server shows it; null for no one. Read when a service is made. */
export const Observer = Context.Reference<((posted: Posted) => void) | null>(
  "@watchword/events/internal/WebhookDelivery/Observer",
  { defaultValue: () => null }
)

export const make: Effect.Effect<Deliver> = Effect.zipWith(WebhookSender, Observer, (sender, observer) =>
  Effect.fnUntraced(function* ({ secrets, url }, id, content) {
    const now = yield* Clock.currentTimeMillis
    const body = JSON.stringify(content)
    const timestamp = Math.floor(now / 1000)
    const signed = yield* Effect.promise(() => signWebhook(body, { secrets: secretsAt(secrets, now), id, timestamp }))
    const headers = { ...signed, "content-type": "application/json", "user-agent": USER_AGENT }
    const answer = yield* sender.send({ url, headers, body })
    const took = (yield* Clock.currentTimeMillis) - now
    const outcome = outcomeOf(answer, took)
    if (observer !== null) {
      const events = "type" in content ? [content] : content
      observer({ url, types: events.map(({ type }) => type), outcome, took })
    }
    return outcome
  })
)

const outcomeOf = (given: WebhookAnswer, took: number): Outcome => {
  const answer = Answer.inWords(given)
  const isGone = given._tag === "Answered" && given.status === 410
  const kept = Answer.kept({ words: answer, took, said: Answer.saidOf(given) })
  return { _tag: isGone ? "Gone" : Answer.isTaken(answer) ? "Taken" : "Failed", answer, kept }
}
