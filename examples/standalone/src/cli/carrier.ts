/**
 * The commands on carriers by name: which there are, and which of them take messages.
 */
import * as Durations from "@watchword/guards/internal/Durations"
import { MicroEuros, toEuros } from "@watchword/schemas/Money"
import * as RouteAdmin from "@watchword/send/internal/routes/RouteAdmin"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Database from "../Database.ts"
import { explainedWith, mistake, print } from "./root.ts"

const nameArgument = Argument.String("carrier").pipe(
  Argument.withDescription("The carrier's name in the file of CARRIERS")
)

const explained = explainedWith(["carrier"])

const drain = Command.make(
  "drain",
  {
    carrier: nameArgument,
    duration: Flag.String("for").pipe(
      Flag.withDescription("How long: 30m, 12h, 2d; until `carrier resume` unless given"),
      Flag.optional
    )
  },
  ({ carrier, duration }) =>
    Effect.gen(function* () {
      const given = Option.getOrNull(duration)
      if (given !== null && !Durations.isDuration(given)) {
        return yield* mistake("--for must be a time of at most 30 days, such as 12h.")
      }
      const { until } = yield* RouteAdmin.drain(carrier, given === null ? null : Durations.toDuration(given))
      yield* print({ carrier, drained: true, until: iso(until) }, [
        `${carrier} takes no more messages ${until === null ? "until `carrier resume`" : `until ${iso(until)}`}; running servers ` +
          "know within a second."
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Have a carrier take no more messages; those under way go on"))

const resume = Command.make("resume", { carrier: nameArgument }, ({ carrier }) =>
  Effect.gen(function* () {
    if (!(yield* RouteAdmin.resume(carrier))) return yield* mistake(`${carrier} is not drained.`)
    yield* print({ carrier, drained: false }, [`${carrier} takes messages again.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Have a drained carrier take messages again"))

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const carriers = yield* RouteAdmin.list
    yield* print(
      { carriers: carriers.map(described) },
      carriers.length === 0 ? ["No running server has carriers by name, and none is drained."] : carriers.map(lineOf)
    )
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("List the carriers of running servers: state, window, cost, refusals, conversion"))

const described = ({ cost, drained, refusal, ...carrier }: RouteAdmin.Shown) => ({
  ...carrier,
  drained: drained !== null,
  drained_until: iso(drained?.until ?? null),
  cost: euros(cost),
  refusal: refusal === null ? null : { at: iso(refusal.at), message: refusal.message }
})

const lineOf = (shown: RouteAdmin.Shown): string => {
  const { approved, carrier, channel, cost, refusal, sent, window } = shown
  return [
    carrier.padEnd(16),
    channel ?? "unknown",
    stateOf(shown),
    ...(window === null ? [] : [`window ${window.used} of ${window.size}`]),
    ...(cost === null ? [] : [`${euros(cost)} EUR`]),
    `${sent} sent in an hour${sent === 0 ? "" : `, ${Math.round((100 * approved) / sent)} % entered`}`,
    ...(refusal === null ? [] : [`refused at ${iso(refusal.at)}: ${refusal.message}`])
  ].join("  ")
}

const stateOf = ({ drained, processes, resting, up }: RouteAdmin.Shown): string => {
  if (drained !== null) return drained.until === null ? "drained" : `drained until ${iso(drained.until)}`
  if (resting > 0) return "resting"
  if (up === processes) return "up"
  return up === 0 ? "down" : `up in ${up} of ${processes}`
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const euros = (cost: number | null): number | null => (cost === null ? null : toEuros(MicroEuros.make(cost)))

export const carrier = Command.make("carrier").pipe(
  Command.withDescription("Carriers by name: states and drains"),
  Command.withSubcommands([drain, resume, list])
)
