/**
 * The operator's command on one event of a webhook: the body that is posted, and how it was answered.
 */
import { field } from "@watchword/schemas/Field"
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import * as Command from "../command/Command.ts"
import { Time, counted, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventId, id, kept, keptFields } from "./WebhookCommands.ts"

const orNull = Schema.NullOr(Schema.String)

const Answer = wire({
  answer: Schema.String,
  at: Time,
  took: field(Schema.NullOr(Schema.Finite), "Milliseconds until the answer; null if no request was made."),
  said: field(orNull, "The first 200 characters of an answer that is no 2xx, without digits of numbers and codes.")
})

const Opened = wire({
  ...keptFields,
  lastAnswer: field(Schema.NullOr(Answer), "Answers to earlier attempts are not kept."),
  to: field(orNull, "The number of its record, as stored; null if the event is about no record."),
  posts: field(
    Schema.Array(Schema.Struct({ id: Schema.String, type: Schema.String, body: Schema.Unknown })),
    "The posts of the next attempt, each with its webhook-id; empty if the record is gone."
  )
})

export const event = Command.make({
  name: ["webhook", "event"],
  description: "Show an event of a webhook, the body that is posted, and the last answer",
  role: "support",
  input: wire({ id, event: eventId }),
  positional: ["id", "event"],
  output: Opened,
  run: ({ event, id }) => Effect.map(EndpointAdmin.event(id, event), opened),
  lines: ({ at, attempts, id, lastAnswer, nextAt, posts, state, to }) => [
    [at.toISOString(), id, ...(to === null ? [] : [to]), `${state} after ${counted(attempts, "attempt")}`].join("  "),
    ...(lastAnswer === null
      ? []
      : [`last answer at ${lastAnswer.at.toISOString()}: ${lastAnswer.answer}${within(lastAnswer.took)}`]),
    ...(lastAnswer === null || lastAnswer.said === null ? [] : [`  ${lastAnswer.said}`]),
    ...(nextAt === null ? [] : [`next at ${nextAt.toISOString()}`]),
    ...posts.flatMap(({ body, id }) => [id, JSON.stringify(body, null, 2)])
  ]
})

const opened = (event: EndpointAdmin.Opened): typeof Opened.Type => {
  const { lastAnswer, posts, to } = event
  return { ...kept(event), to, posts, lastAnswer: lastAnswer && { ...lastAnswer, at: new Date(lastAnswer.at) } }
}

const within = (took: number | null): string => (took === null ? "" : ` in ${took} ms`)
