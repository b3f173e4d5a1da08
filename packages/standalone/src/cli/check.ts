/**
 * The command that checks settings, the database and carriers before a start, or while a server runs.
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Checks from "../Checks.ts"
import { print } from "./root.ts"

export const check = Command.make(
  "check",
  {
    carriers: Flag.Boolean("carriers").pipe(
      Flag.withDescription("Ask carriers by a connection of their own; --no-carriers where one allows a single bind"),
      Flag.withDefault(true)
    )
  },
  ({ carriers }) =>
    Effect.gen(function* () {
      const checks = yield* Checks.all(process.env, carriers)
      const ok = checks.every(({ result }) => result !== "wrong")
      yield* print(
        { ok, checks },
        checks.map(({ message, part, result }) => `${result.padEnd(9)}  ${part.padEnd(8)}  ${message}`)
      )
      if (!ok) yield* Effect.sync(() => void (process.exitCode = 1))
    })
).pipe(Command.withDescription("Check the settings, the database and the carriers"))
