/**
 * The commands on workflows, of an account or of all.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import { Step, type Steps } from "@watchword/schemas/Verification"
import * as Workflows from "@watchword/verify/internal/operator/Workflows"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Database from "../Database.ts"
import { explainedWith, mistake, ofOwner, ownerArgument, print, separated } from "./root.ts"

const nameArgument = Argument.String("name").pipe(Argument.withDescription("The name that clients use, such as cheap"))

const decodeStep = Schema.decodeUnknownOption(Step)

/** Reads `sms:30`. */
const stepOf = (text: string): Option.Option<Step> => {
  const [channel, seconds = ""] = text.split(":")
  return /^[0-9]{1,3}$/.test(seconds) ? decodeStep({ channel, timeout: Number(seconds) }) : Option.none()
}

/** Steps as people type them: `sms:30,call:60`. */
export const written = (steps: Steps): string => steps.map(({ channel, timeout }) => `${channel}:${timeout}`).join(",")

const set = Command.make(
  "set",
  {
    id: ownerArgument,
    name: nameArgument,
    steps: Argument.String("steps").pipe(
      Argument.withDescription("Channels, each with the seconds until the next one, such as chatgw:30,sms:60,call:60")
    )
  },
  ({ id, name, steps }) =>
    Effect.gen(function* () {
      const read = Option.all(separated(steps).map(stepOf))
      if (Option.isNone(read)) {
        return yield* mistake(
          "steps must be chatgw, sms, call or bizchat, each with 10 to 900 seconds, such as sms:30,call:60."
        )
      }
      yield* Workflows.set(id, name, read.value)
      yield* print({ account_id: id, name, steps: read.value }, [
        `Verifications ${ofOwner(id)} that name ${name} take these steps: ${written(read.value)}.`
      ])
    }).pipe(Effect.provide(Database.layer), explainedWith(["name", "steps"]))
).pipe(Command.withDescription("Set the steps of a workflow"))

const list = Command.make("list", { id: ownerArgument }, ({ id }) =>
  Effect.gen(function* () {
    if (id !== null) yield* Accounts.use((accounts) => accounts.get(id))
    const all = yield* Workflows.list(id)
    yield* print(
      { account_id: id, workflows: [...all].map(([name, steps]) => ({ name, steps })) },
      [...all].map(([name, steps]) => `${name.padEnd(20)} ${written(steps)}`)
    )
  }).pipe(Effect.provide(Database.layer), explainedWith([]))
).pipe(Command.withDescription("List the workflows of an account or of all"))

const remove = Command.make("remove", { id: ownerArgument, name: nameArgument }, ({ id, name }) =>
  Effect.gen(function* () {
    yield* Workflows.remove(id, name)
    yield* print({ account_id: id, name, removed: true }, [
      `Verifications ${ofOwner(id)} cannot name ${name} any more.`
    ])
  }).pipe(Effect.provide(Database.layer), explainedWith(["name"]))
).pipe(Command.withDescription("Take a workflow away; pending verifications keep its steps"))

/** `watchword account workflow …` */
export const workflow = Command.make("workflow").pipe(
  Command.withDescription("Steps of verifications, by the name that clients use"),
  Command.withSubcommands([set, list, remove])
)
