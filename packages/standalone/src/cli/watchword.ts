/**
 * Everything that the operator's command can do: the commands of operators, and programs that work on the database
 * itself.
 */
import * as Command from "effect/cli/Command"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { cells } from "./cells/map.ts"
import { move } from "./cells/move.ts"
import { check } from "./check.ts"
import { dev } from "./dev.ts"
import { ids } from "./door.ts"
import { groups } from "@watchword/operator/commands"
import { under } from "./folded.ts"
import { migrate } from "./migrate.ts"
import { root } from "./root.ts"

/** The programs, which work on the database itself. */
const programs = (version: string) => [audit, backup, check, dev(version), migrate, move, restore]

export const programNames: ReadonlyArray<string> = programs("").map(({ name }) => name)

/** @param version of the package */
export const watchword = (version: string) => {
  const door = Command.make("door").pipe(
    Command.withDescription(groups["door"] ?? "Doors for apps that speak another verify API"),
    Command.withSubcommands([ids, ...under(["door"])])
  )
  const all = [...under().filter(({ name }) => name !== door.name), cells, door, ...programs(version)]
  return Command.withSubcommands(
    root,
    all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  )
}
