/**
 * All that the operator's command can do: the commands of operators, and programs that work on the database itself.
 */
import * as Command from "effect/cli/Command"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { check } from "./check.ts"
import { dev } from "./dev.ts"
import { under } from "./folded.ts"
import { migrate } from "./migrate.ts"
import { root } from "./root.ts"

/** @param version of the package */
export const watchword = (version: string) => {
  const all = [...under(), audit, backup, check, dev(version), migrate, restore]
  return Command.withSubcommands(
    root,
    all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  )
}
