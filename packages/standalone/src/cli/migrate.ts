/**
 * The command that migrates the database, or prints the pending migrations.
 */
import type { Pending } from "@watchword/store/Migrator"
import { DatabaseCommands as Database } from "@watchword/operator/commands"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Migrations from "../Migrations.ts"
import * as Settings from "../settings/Settings.ts"
import * as Storage from "../Storage.ts"
import { explained, print } from "./root.ts"

export const migrate = Command.make(
  Database.migrate.name[0],
  {
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Change nothing, and exit with 1 when a migration is missing"),
      Flag.withDefault(false)
    )
  },
  ({ check }) =>
    Effect.gen(function* () {
      const migrator = Storage.migrator(yield* Effect.fromResult(Settings.database(process.env)))
      yield* check ? tell(migrator) : apply(migrator)
    }).pipe(explained)
).pipe(Command.withDescription(Database.migrate.description))

type Migrator = ReturnType<typeof Storage.migrator>

const tell = Effect.fnUntraced(function* ({ status }: Migrator) {
  const found = yield* status
  const { database, pending, program } = found
  const problem = Migrations.problem(found)
  yield* print({ ok: problem === null, ...found, ...(problem === null ? {} : { message: problem }) }, [
    problem ?? `The database has version ${database}, and this program, of version ${program}, works on it.`,
    ...pending.map(lineOf)
  ])
  if (problem !== null) yield* Effect.sync(() => void (process.exitCode = 1))
})

const apply = Effect.fnUntraced(function* ({ migrate: run, status }: Migrator) {
  const before = yield* run
  const after = yield* status
  yield* print({ ok: true, from: before.database, to: after.database, floor: after.floor, applied: before.pending }, [
    ...before.pending.map(lineOf),
    before.pending.length === 0
      ? `The database has version ${after.database}: nothing was missing.`
      : `The database had version ${before.database} and has version ${after.database}.`
  ])
})

const lineOf = ({ floor, name, version }: Pending): string =>
  `${version}  ${name}${floor === null ? "" : `, after which programs need version ${floor} or later`}`
