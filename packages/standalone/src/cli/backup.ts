/**
 * The commands that back the database up and restore it.
 */
import * as Argument from "effect/cli/Argument"
import { DatabaseCommands as Database } from "@watchword/operator/commands"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Backups from "../Backups.ts"
import { requireTables } from "../Migrations.ts"
import * as Settings from "../settings/Settings.ts"
import { counted } from "@watchword/operator/command"
import { explained, mistake, print } from "./root.ts"

export const backup = Command.make(
  Database.backup.name[0],
  {
    file: Argument.String("file").pipe(Argument.withDescription("The backup file, in a folder that exists")),
    overwrite: Flag.Boolean("overwrite").pipe(
      Flag.withDescription("Replace a file of that name"),
      Flag.withDefault(false)
    )
  },
  ({ file, overwrite }) =>
    Effect.gen(function* () {
      const database = yield* Effect.fromResult(Settings.database(process.env))
      const made = yield* Backups.backup(database, file, overwrite, tenths("copied"))
      yield* print({ file: made.file, bytes: made.bytes, at: iso(made.at) }, [
        `The backup ${made.file} of ${iso(made.at)} is complete: ${megabytes(made.bytes)} MB.`
      ])
    }).pipe(explained)
).pipe(Command.withDescription(Database.backup.description))

export const restore = Command.make(
  Database.restore.name[0],
  {
    file: Argument.String("file").pipe(Argument.withDescription("The backup file"), Argument.optional),
    finish: Flag.Boolean("finish").pipe(
      Flag.withDescription("Finish a restore made with other tools, such as PostgreSQL's, before servers start"),
      Flag.withDefault(false)
    ),
    anyway: Flag.Boolean("anyway").pipe(
      Flag.withDescription("Restore a backup in which a rule of money or messages is broken"),
      Flag.withDefault(false)
    )
  },
  ({ anyway, file, finish }) =>
    Effect.gen(function* () {
      const database = yield* Effect.fromResult(Settings.database(process.env))
      if (Option.isSome(file) === finish) {
        return yield* Effect.fail(mistake("Give either a backup file, or --finish after a restore with other tools."))
      }
      if (Option.isNone(file)) {
        yield* requireTables(database)
        return yield* told(yield* Backups.finish(database), [])
      }
      const restored = yield* Backups.restore(database, file.value, anyway, tenths("copied"))
      const { at, database: name, kept, replaced } = restored
      const time = at === null ? null : iso(at)
      yield* told(
        restored,
        [
          replaced
            ? `${name} is restored from ${file.value}${time === null ? "" : ` of ${time}`}.`
            : `${name} was not changed: ${file.value} violates audit rules. See them with --json; --anyway restores it.`,
          ...(kept === null ? [] : [`The previous database is now ${kept}.`])
        ],
        { database: name, backup_at: time, kept, replaced }
      )
    }).pipe(explained)
).pipe(Command.withDescription(Database.restore.description))

const told = Effect.fnUntraced(function* (
  { audit, open, operatorsEnded, verificationsEnded }: Backups.Restored,
  lines: ReadonlyArray<string>,
  more: object = {}
) {
  const { held, pending, unknown } = open
  yield* print(
    { ...more, verifications_ended: verificationsEnded, operators_ended: operatorsEnded, open_sends: open, audit },
    [
      ...lines,
      `Ended: ${counted(verificationsEnded, "pending verification")}, ${counted(operatorsEnded, "token")} of operators.`,
      `Open: ${counted(pending, "send")} pending, ${unknown} unknown, ${held} EUR held until a receipt comes or a day has passed.`,
      audit.ok
        ? "Every rule of money and messages holds."
        : `Broken: a rule of money or messages in ${counted(audit.found, "row")}.`
    ]
  )
  if (!audit.ok) yield* Effect.sync(() => void (process.exitCode = 1))
})

const iso = (at: number): string => new Date(at).toISOString()

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/** Files from this size on take long enough to show progress: 100 MB. */
const LARGE = 100_000_000

/** Tells on standard error of each tenth of a large file. */
const tenths = (done: string): ((progress: { readonly copied: number; readonly total: number }) => void) => {
  let told = 0
  return ({ copied, total }) => {
    const tenth = Math.floor((10 * copied) / total)
    if (total < LARGE || tenth === told) return
    told = tenth
    process.stderr.write(`${done} ${tenth * 10} % of ${megabytes(total)} MB\n`)
  }
}
