/**
 * The operator's command that shows current problems: sends of the last hour compared with a week ago, and problems in
 * sentences.
 */
import { field } from "@watchword/schemas/Field"
import { AccountId } from "@watchword/schemas/Ids"
import { toEuros } from "@watchword/schemas/Money"
import * as Command from "../command/Command.ts"
import { Moment, accountOf, wire } from "../command/Wire.ts"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Hours } from "../insight/overview/HourCounts.ts"
import { overviewAt, started } from "../insight/overview/Overview.ts"
import { Program } from "../insight/Program.ts"

const count = Schema.Finite

const Counts = Schema.Struct({
  sent: field(count, "Excludes sends that a guard blocked."),
  delivered: count,
  failed: count,
  pending: field(count, "The network has not reported a final status for them."),
  blocked: field(count, "Blocked by a guard.")
})

const Verifications = Schema.Struct({
  started: count,
  approved: count,
  pending: count,
  expired: count,
  failed: count,
  canceled: count,
  blocked: field(count, "Refused by a guard; not among the started ones.")
})

const Act = Schema.Union([
  Schema.Struct({
    label: Schema.String,
    command: Schema.Literal("guard block"),
    input: Schema.Struct({ place: Schema.String, for: Schema.String })
  }),
  Schema.Struct({
    label: Schema.String,
    command: Schema.Literal("carrier drain"),
    input: Schema.Struct({ carrier: Schema.String })
  }),
  Schema.Struct({
    label: Schema.String,
    command: Schema.Literal("account credit"),
    input: Schema.Struct({ account_id: AccountId })
  }),
  Schema.Struct({
    label: Schema.String,
    command: Schema.Literal("webhook enable"),
    input: Schema.Struct({ webhook_id: Schema.String })
  })
])

const Overview = wire({
  at: Moment,
  version: field(Schema.NullOr(Schema.String), "The program's version; null if its host does not say."),
  migrations: field(
    Schema.NullOr(Schema.Struct({ database: count, program: count })),
    "The schema versions of the database and the program; null if the host does not say."
  ),
  since: field(Moment, "When the last hour began."),
  channels: Schema.Array(wire({ channel: Schema.String, hour: Counts, weekAgo: Counts })),
  verifications: wire({ hour: Verifications, weekAgo: Verifications }),
  problems: Schema.Array(
    Schema.Struct({
      kind: field(Schema.String, "The rule that it breaks: docs/operators/monitoring.md has all."),
      about: field(Schema.String, "Its subject, such as a country or an id."),
      severity: Schema.Literals(["bad", "warn"]),
      text: Schema.String,
      link: field(Schema.String, "The console page with more details."),
      act: field(Schema.NullOr(Act), "A command that may mend it, with some fields of its input.")
    })
  ),
  events: field(
    Schema.Struct({ pending: count, oldest: Schema.NullOr(Moment) }),
    "Events waiting for webhooks, counted up to 10,000."
  ),
  unknown: field(
    Schema.Struct({ count, oldest: Schema.NullOr(Moment) }),
    "Sends whose outcome at the gateway is unknown, counted up to 1,000."
  ),
  lowBalances: Schema.Array(
    wire({ account: accountOf, name: Schema.String, available: Schema.Finite, threshold: Schema.Finite })
  ),
  truncated: field(
    Schema.Boolean,
    "Whether there are more than 500 accounts; only the first 500 are checked for problems."
  )
})

export const overview = Command.make({
  name: ["overview"],
  description: "Show the last hour compared with the same hour a week ago, and current problems",
  role: "support",
  isWatchable: true,
  input: wire({}),
  output: Overview,
  run: Effect.fnUntraced(function* () {
    const { version } = yield* Program
    const at = yield* Clock.currentTimeMillis
    const { channels, events, migrations, owners, problems, since, unknown, verifications } = yield* overviewAt(at)
    return {
      at,
      version,
      migrations: migrations && { database: migrations.database, program: migrations.program },
      since,
      channels,
      verifications: both(verifications, verificationsOf),
      problems,
      events: { pending: events.pending, oldest: events.oldestPending },
      unknown,
      lowBalances: owners.lowBalances.map(({ account, available, name, threshold }) => ({
        account,
        name,
        available: toEuros(available),
        threshold: toEuros(threshold)
      })),
      truncated: owners.truncated
    }
  }),
  lines: ({ channels, events, problems, since, unknown, verifications: { hour, weekAgo } }) => [
    ...(problems.length === 0
      ? ["No known problems."]
      : problems.flatMap(({ act, severity, text }) => [
          `${severity.padEnd(4)}  ${text}`,
          ...(act?.command === "guard block" ? [`      guard block ${act.input.place} --for ${act.input.for}`] : [])
        ])),
    `Since ${new Date(since).toISOString()}, and the same hour a week ago in parentheses:`,
    ...channels.map(
      ({ channel, hour, weekAgo }) =>
        `${channel.padEnd(8)}  ${words.map((word) => `${hour[word]} (${weekAgo[word]}) ${word}`).join(", ")}`
    ),
    `verify    ${endings.map((word) => `${hour[word]} (${weekAgo[word]}) ${word}`).join(", ")}`,
    `${events.pending} events are waiting for webhooks; the outcome of ${unknown.count} sends is unknown.`
  ]
})

const words = ["sent", "delivered", "failed", "pending", "blocked"] as const
const endings = ["started", "approved", "pending", "expired", "failed", "canceled", "blocked"] as const

const both = <A, B>({ hour, weekAgo }: Hours<A>, f: (a: A) => B): Hours<B> => ({ hour: f(hour), weekAgo: f(weekAgo) })

const verificationsOf = (counts: ReadonlyMap<string, number>): typeof Verifications.Type => {
  const of = (status: string): number => counts.get(status) ?? 0
  return {
    started: started(counts),
    approved: of("approved"),
    pending: of("pending"),
    expired: of("expired"),
    failed: of("failed"),
    canceled: of("canceled"),
    blocked: of("blocked")
  }
}
