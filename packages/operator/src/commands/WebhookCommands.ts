/**
 * The operator's commands on webhooks, and on the balance below which they get `balance.low`.
 */
import { Mode } from "@watchword/schemas/Channel"
import { field, optional } from "@watchword/schemas/Field"
import { toEuros } from "@watchword/schemas/Money"
import { DeliveryId, EventId } from "@watchword/schemas/Ids"
import * as Command from "../command/Command.ts"
import { valueOf } from "@watchword/store/Settings"
import { Texts, Time, accountOf, as, counted, maybeOwner, ofOwner, owner, ownerOf, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"

export const id = as({ json: "webhook_id", example: "WEBHOOK" }, field(Schema.String, "The webhook's id, whk_…"))

const orNull = Schema.NullOr(Schema.String)

const ownerField = maybeOwner("Only for this account's events; for all accounts by default")

export const add = Command.make({
  name: ["webhook", "add"],
  description: "Post events to a URL",
  role: "operator",
  hidden: ["secret"],
  input: wire({
    account: ownerField,
    url: as({ example: "https://…" }, field(Schema.String, "The URL that events are posted to, https://…")),
    events: as(
      { example: "a,b.*" },
      optional(Texts, "Types and patterns such as verification.*,delivery.updated; all by default")
    ),
    anyway: optional(Schema.Boolean, "Allow a private address if only the servers have WEBHOOK_ALLOW_PRIVATE set")
  }),
  output: wire({
    id,
    account: ownerOf,
    url: Schema.String,
    secret: field(Schema.String, "Shown once."),
    warning: Schema.NullOr(Schema.String)
  }),
  run: ({ account = null, ...webhook }) =>
    Effect.map(EndpointAdmin.add(account, webhook), (added) => ({ ...added, account, url: webhook.url })),
  lines: ({ account, id, secret, warning }) => [
    `Webhook ${id} gets the events ${ofOwner(account)} from now on.`,
    `Its secret, which will not be shown again: ${secret}`,
    ...(warning === null ? [] : [warning])
  ]
})

const Listed = wire({
  id,
  account: ownerOf,
  url: Schema.String,
  events: Texts,
  createdAt: Time,
  pending: Schema.Finite,
  oldestPending: Schema.NullOr(Time),
  concurrency: field(Schema.Finite, "The most concurrent requests."),
  batch: field(Schema.NullOr(Schema.Finite), "The most events in a request; null if each event has its own request."),
  failed: field(Schema.Finite, "Events given up in the last week."),
  lastAnswer: Schema.NullOr(Schema.Struct({ answer: Schema.String, at: Time })),
  failingSince: field(Schema.NullOr(Time), "When it began to fail; null while it accepts events."),
  disabled: field(
    Schema.NullOr(Schema.Literals(["gone", "failing"])),
    "Why no events are sent to it: it answered 410 (`gone`), or failed for five days."
  )
})

export const list = Command.make({
  name: ["webhook", "list"],
  description: "List webhooks, their waiting events, and their last answers",
  role: "support",
  input: wire({ account: ownerField }),
  output: wire({ webhooks: Schema.Array(Listed) }),
  run: ({ account }) => Effect.map(EndpointAdmin.list(account), (all) => ({ webhooks: all.map(listed) })),
  lines: ({ webhooks }) => (webhooks.length === 0 ? ["There is no webhook."] : webhooks.flatMap(linesOf))
})

const listed = ({ endpoint, events, id, owner, state, throughput }: EndpointAdmin.Listed): typeof Listed.Type => ({
  id,
  account: owner,
  url: endpoint.url,
  events: endpoint.events,
  createdAt: new Date(endpoint.created_at),
  pending: events.pending,
  oldestPending: dateOf(events.oldestPending),
  ...inFull(throughput),
  failed: events.failed,
  lastAnswer: events.lastAnswer && { answer: events.lastAnswer.answer, at: new Date(events.lastAnswer.at) },
  failingSince: dateOf(state?.failing_since),
  disabled: state?.disabled?.why ?? null
})

const inFull = ({ batch, concurrency = EndpointAdmin.CONCURRENCY }: EndpointAdmin.Throughput) => ({
  concurrency,
  batch: batch ?? null
})

const dateOf = (at: number | null | undefined): Date | null => (at == null ? null : new Date(at))

const linesOf = ({ account, disabled, events, failed, id, lastAnswer, pending, url }: typeof Listed.Type) => {
  const answer = lastAnswer === null ? "none yet" : `${lastAnswer.answer} at ${lastAnswer.at.toISOString()}`
  const ended =
    disabled === null ? "" : `; disabled: ${disabled === "gone" ? "it answered 410" : "five days of failure"}`
  return [
    `${id}  ${account ?? "all accounts"}  ${url}  ${events.join(",")}`,
    `  ${pending} pending, ${failed} failed, last answer: ${answer}${ended}`
  ]
}

export const remove = Command.make({
  name: ["webhook", "remove"],
  description: "Remove a webhook",
  role: "operator",
  input: wire({ id }),
  positional: ["id"],
  output: Schema.Struct({ removed: Schema.String }),
  before: ({ id }) => Effect.map(EndpointAdmin.find(id), ({ endpoint: { events, url } }) => ({ url, events })),
  run: ({ id }) => Effect.as(EndpointAdmin.remove(id), { removed: id }),
  lines: ({ removed }) => [`Removed webhook ${removed}, and the events waiting for it.`]
})

export const throughput = Command.make({
  name: ["webhook", "throughput"],
  description: "Set how many requests a webhook gets at once, and how many events a request carries",
  role: "operator",
  input: wire({
    id,
    concurrency: as(
      { example: "N" },
      optional(Schema.NullOr(Schema.Int), `Concurrent requests, 1 to 64; ${EndpointAdmin.CONCURRENCY} by default`)
    ),
    batch: as(
      { example: "N" },
      optional(
        Schema.NullOr(Schema.Int),
        "The most events in a request, 1 to 100, as a list; by default each event has its own request"
      )
    )
  }),
  positional: ["id"],
  clear: "Settings to return to their defaults",
  needs: "Nothing would change: give --concurrency, --batch or --clear.",
  output: wire({ id, concurrency: Schema.Finite, batch: Schema.NullOr(Schema.Finite) }),
  before: ({ id }) => Effect.map(EndpointAdmin.throughputOf(id), inFull),
  run: ({ id, ...given }) =>
    Effect.map(EndpointAdmin.setThroughput(id, given), (throughput) => ({ id, ...inFull(throughput) })),
  lines: ({ batch, concurrency, id }) => [
    `Webhook ${id} has up to ${counted(concurrency, "request")} under way, from a second on${
      batch === null ? "." : ` from each server, each a list of up to ${counted(batch, "event")}.`
    }`
  ]
})

export const rotate = Command.make({
  name: ["webhook", "rotate"],
  description: "Give a webhook a new secret; the old secret also works for a day",
  role: "operator",
  hidden: ["secret"],
  input: wire({ id }),
  positional: ["id"],
  output: wire({ id, secret: Schema.String, oldUntil: Time }),
  run: ({ id }) =>
    Effect.map(EndpointAdmin.rotate(id), ({ oldUntil, secret }) => ({ id, secret, oldUntil: new Date(oldUntil) })),
  lines: ({ id, oldUntil, secret }) => [
    `The new secret of webhook ${id}, which will not be shown again: ${secret}`,
    `Events are also signed with the old secret until ${oldUntil.toISOString()}.`
  ]
})

export const enable = Command.make({
  name: ["webhook", "enable"],
  description: "Enable a disabled webhook again",
  role: "operator",
  input: wire({ id }),
  positional: ["id"],
  output: wire({ id, enabled: Schema.Boolean }),
  run: ({ id }) => Effect.as(EndpointAdmin.enable(id), { id, enabled: true }),
  lines: ({ id }) => [`Events are sent to webhook ${id} again.`]
})

export const test = Command.make({
  name: ["webhook", "test"],
  description: "Make a running server post the event webhook.test, and show the answer",
  role: "operator",
  input: wire({ id }),
  positional: ["id"],
  output: wire({ id, answer: Schema.NullOr(Schema.String), taken: Schema.Boolean, message: Schema.String }),
  run: ({ id }) => Effect.map(EndpointAdmin.test(id), (tried) => ({ id, ...tried })),
  lines: ({ id, message }) => [`Webhook ${id}: ${message}`],
  isDone: ({ taken }) => taken
})

export const replay = Command.make({
  name: ["webhook", "replay"],
  description: "Resend the events since a time",
  role: "operator",
  input: wire({ id, since: as({ example: "ISO" }, field(Time, "A time in ISO 8601, at most a week ago")) }),
  positional: ["id"],
  output: wire({ id, events: Schema.Finite }),
  run: ({ id, since }) => Effect.map(EndpointAdmin.replay(id, since.getTime()), (events) => ({ id, events })),
  lines: ({ events, id }) => [`${events} events will be resent to webhook ${id}.`]
})

export const keptFields = {
  id: EventId,
  account: accountOf,
  mode: Mode,
  kind: field(Schema.Literals(["delivery", "balance_low", "test"]), "Whether the event is about a record."),
  channel: orNull,
  delivery: as({ json: "delivery_id" }, field(Schema.NullOr(DeliveryId), "The record that the event is about.")),
  status: field(orNull, "The record's status at that time."),
  at: Time,
  state: Schema.Literals(["pending", "sent", "failed"]),
  attempts: field(Schema.Finite, "How many times it was tried."),
  lastAnswer: Schema.NullOr(Schema.Struct({ answer: Schema.String, at: Time })),
  nextAt: field(Schema.NullOr(Time), "When it will be tried next; null unless it is pending.")
}

const Kept = wire(keptFields)

export const events = Command.make({
  name: ["webhook", "events"],
  description: "Show a webhook's events, their attempts and its last answers",
  role: "support",
  isWatchable: true,
  input: wire({
    id,
    state: as(
      { example: "failed" },
      optional(Schema.Literals(["pending", "sent", "failed"]), "pending, sent or failed; pending by default")
    ),
    limit: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "must be from 1 to 100" })),
      "How many to show, up to 100; 50 by default"
    )
  }),
  positional: ["id"],
  output: wire({
    events: field(Schema.Array(Kept), "Pending events ordered by next attempt, others by last answer, newest first.")
  }),
  run: ({ id, limit = 50, state = "pending" }) =>
    Effect.map(EndpointAdmin.events(id, { state, limit }), (all) => ({ events: all.map(kept) })),
  lines: ({ events }) =>
    events.length === 0
      ? ["There is no such event."]
      : events.map(({ at, attempts, channel, delivery, id, kind, lastAnswer, nextAt, state, status }) =>
          [
            at.toISOString(),
            id,
            kind === "delivery" ? `${channel} ${delivery} ${status}` : kind,
            `${state} after ${counted(attempts, "attempt")}`,
            ...(lastAnswer === null ? [] : [`${lastAnswer.answer} at ${lastAnswer.at.toISOString()}`]),
            ...(nextAt === null ? [] : [`next at ${nextAt.toISOString()}`])
          ].join("  ")
        )
})

export const kept = ({
  account,
  at,
  attempts,
  dueAt,
  fact,
  id,
  lastAnswer,
  mode,
  state
}: EndpointAdmin.Kept): typeof Kept.Type => ({
  id,
  account,
  mode,
  ...(fact._tag === "DeliveryChanged"
    ? { kind: "delivery", channel: fact.channel, delivery: fact.delivery, status: fact.status }
    : { kind: fact._tag === "Test" ? "test" : "balance_low", channel: null, delivery: null, status: null }),
  at: new Date(at),
  state,
  attempts,
  lastAnswer: lastAnswer && { answer: lastAnswer.answer, at: new Date(lastAnswer.at) },
  nextAt: state === "pending" ? new Date(dueAt) : null
})

/** An event's id, as it is listed, or as its receiver has it: `evt_`, the id, and the end of its type. */
const AnyId = Schema.String.pipe(
  Schema.decodeTo(
    EventId,
    SchemaTransformation.transform({
      decode: (text) => /^evt_([^_]*)_/.exec(text)?.[1] ?? text,
      encode: (id: string) => id
    })
  )
)

export const eventId = as({ json: "event_id", example: "EVENT" }, field(AnyId, "The event's id, as listed or received"))

export const sendAgain = Command.make({
  name: ["webhook", "send-again"],
  description: "Resend one event, whatever its state",
  role: "operator",
  input: wire({ id, event: eventId }),
  positional: ["id", "event"],
  output: wire({ id, event: as({ json: "event_id" }, EventId) }),
  run: ({ event, id }) => Effect.as(EndpointAdmin.sendAgain(id, event), { id, event }),
  lines: ({ event, id }) => [`Event ${event} will be resent to webhook ${id}.`]
})

const euros = as(
  { example: "EUROS|-", read: (text) => (text === "-" ? null : text) },
  field(
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])),
    "The available balance, in EUR, below which balance.low is sent; - for none"
  )
)

export const lowBalance = Command.make({
  name: ["webhook", "low-balance"],
  description: "Set the balance below which balance.low is sent to webhooks",
  role: "operator",
  input: wire({ account: owner, euros }),
  positional: ["account", "euros"],
  output: wire({ account: ownerOf, euros: Schema.NullOr(Schema.Finite) }),
  before: ({ account }) =>
    Effect.map(valueOf(account, EndpointAdmin.lowBalance), (amount) =>
      amount === null ? null : { euros: toEuros(amount) }
    ),
  run: ({ account, euros }) =>
    Effect.as(EndpointAdmin.setLowBalance(account, euros), { account, euros: euros === null ? null : Number(euros) }),
  lines: (_, { account, euros }) => [
    euros === null
      ? `No balance ${ofOwner(account)} causes balance.low.`
      : `A balance ${ofOwner(account)} that falls below ${euros} EUR triggers balance.low.`
  ]
})
