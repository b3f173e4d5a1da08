/**
 * The operator's commands on carriers by name: which there are, and which of them take messages.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { OfAtMostAMonth, field, optional } from "@watchword/schemas/Field"
import { MicroEuros, toEuros } from "@watchword/schemas/Money"
import * as Command from "../command/Command.ts"
import { Time, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ShownCarrier, drainCarrier, drainOf, listCarriers, resumeCarrier } from "@watchword/send/routes"

const carrier = as({ example: "NAME" }, field(Schema.String, "The carrier's name"))

const Window = Schema.Struct({ used: Schema.Int, size: Schema.Int })

/** A carrier in the answer of `carrier list`. */
const Listed = wire({
  carrier: Schema.String,
  channel: field(Schema.NullOr(Schema.String), "Null for a drained carrier that is on no running server."),
  servers: field(Schema.Int, "How many running servers have it."),
  up: field(Schema.Int, "How many of those servers are connected to it."),
  resting: field(Schema.Int, "How many of those servers have paused it after refusals."),
  drained: Schema.Boolean,
  drainedUntil: field(Schema.NullOr(Time), "Null if it is not drained, or if it is drained until it is resumed."),
  window: field(Schema.NullOr(Window), "Messages that it has not answered yet, and the maximum."),
  rate: field(
    Schema.NullOr(Schema.Finite),
    "The messages per second learned from its throttling; null until it throttles."
  ),
  cost: field(Schema.NullOr(Schema.Finite), "EUR per part or call to numbers that have no cost of their own."),
  refusal: field(Schema.NullOr(Schema.Struct({ at: Time, message: Schema.String })), "The last refusal."),
  sent: field(Schema.Int, "Messages that it accepted in the last hour."),
  approved: field(Schema.Int, "How many of those messages' codes were entered."),
  unrecognized: field(
    Schema.Array(Schema.Struct({ kind: Schema.String, word: Schema.String, count: Schema.Int, at: Time })),
    "Words of the carrier that no running server recognized since it started: at most ten of each kind, the most recent first."
  )
})
export type Listed = typeof Listed.Type

export const list = Command.make({
  name: ["carrier", "list"],
  description: "List the carriers of running servers: state, window, cost, refusals, conversion",
  role: "support",
  isWatchable: true,
  input: wire({}),
  output: wire({ carriers: Schema.Array(Listed) }),
  run: () => Effect.map(listCarriers, (shown) => ({ carriers: shown.map(listed) })),
  lines: ({ carriers }) =>
    carriers.length === 0
      ? ["No running server has named carriers, and no carrier is drained."]
      : carriers.flatMap((listed) => [lineOf(listed), ...listed.unrecognized.map(unrecognizedLine)])
})

const drainBefore = (carrier: string) =>
  Effect.map(drainOf(carrier), (drain) =>
    drain === null ? null : { drained: true, drained_until: dateOf(drain.until)?.toISOString() ?? null }
  )

export const drain = Command.make({
  name: ["carrier", "drain"],
  description: "Send no more messages to a carrier; messages under way are completed",
  role: "operator",
  input: wire({
    carrier,
    for: as({ example: "2h" }, optional(OfAtMostAMonth, "How long: 30m, 12h, 2d; until `carrier resume` unless given"))
  }),
  positional: ["carrier"],
  output: wire({ carrier: Schema.String, drainedUntil: Schema.NullOr(Time) }),
  before: ({ carrier }) => drainBefore(carrier),
  run: ({ carrier, for: seconds = null }) =>
    Effect.map(drainCarrier(carrier, seconds && seconds * 1000), ({ until }) => ({
      carrier,
      drainedUntil: dateOf(until)
    })),
  lines: ({ carrier, drainedUntil }) => [
    `${carrier} gets no new messages until ${drainedUntil?.toISOString() ?? "`carrier resume`"}; running servers apply this within a second.`
  ]
})

export const resume = Command.make({
  name: ["carrier", "resume"],
  description: "Resume a drained carrier",
  role: "operator",
  input: wire({ carrier }),
  positional: ["carrier"],
  output: wire({ carrier: Schema.String }),
  before: ({ carrier }) => drainBefore(carrier),
  run: Effect.fnUntraced(function* ({ carrier }) {
    if (yield* resumeCarrier(carrier)) return { carrier }
    return yield* new BadRequest({ message: `${carrier} is not drained.` })
  }),
  lines: ({ carrier }) => [`${carrier} gets messages again; running servers apply this within a second.`]
})

const listed = ({ cost, drained, processes, refusal, unrecognized, ...shown }: ShownCarrier): Listed => ({
  ...shown,
  servers: processes,
  drained: drained !== null,
  drainedUntil: dateOf(drained?.until ?? null),
  cost: cost === null ? null : toEuros(MicroEuros.make(cost)),
  refusal: refusal === null ? null : { at: new Date(refusal.at), message: refusal.message },
  unrecognized: unrecognized.map((seen) => ({ ...seen, at: new Date(seen.at) }))
})

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

const lineOf = (listed: Listed): string => {
  const { approved, carrier, channel, cost, rate, refusal, sent, window } = listed
  return [
    carrier.padEnd(16),
    channel ?? "unknown",
    stateOf(listed),
    ...(window === null ? [] : [`window ${window.used} of ${window.size}`]),
    ...(rate === null ? [] : [`throttles at ${rate} a second`]),
    ...(cost === null ? [] : [`${cost} EUR`]),
    `${sent} sent in an hour${sent === 0 ? "" : `, ${Math.round((100 * approved) / sent)} % entered`}`,
    ...(refusal === null ? [] : [`refused at ${refusal.at.toISOString()}: ${refusal.message}`])
  ].join("  ")
}

const unrecognizedLine = ({ at, count, kind, word }: Listed["unrecognized"][number]): string =>
  `  not recognized: ${kind.replaceAll("_", " ")} ${word === "" ? "" : `"${word}" `}(${count}, last at ${at.toISOString()})`

const stateOf = ({ drained, drainedUntil, resting, servers, up }: Listed): string => {
  if (drained) return drainedUntil === null ? "drained" : `drained until ${drainedUntil.toISOString()}`
  if (resting > 0) return "resting"
  if (up === servers) return "up"
  return up === 0 ? "down" : `up in ${up} of ${servers}`
}
