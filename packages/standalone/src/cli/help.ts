/**
 * The help of all commands, for documents.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import { watchword } from "./watchword.ts"

/** A command and what its `--help` says. */
export interface Help {
  readonly words: ReadonlyArray<string>
  readonly help: HelpDoc
}

const run = Command.runWith(watchword(""), { version: "" })

/** The commands under these words, in the order of their help. */
export const below = async (words: ReadonlyArray<string> = []): Promise<ReadonlyArray<Help>> => {
  const help = await helpOf(words)
  const names = (help.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
  if (names.length === 0) return [{ words, help }]
  const all = await Promise.all(names.map((name) => below([...words, name])))
  // A command may have others below it.
  const isCommand = words.length > 0 && help.flags.length > 0
  return isCommand ? [{ words, help }, ...all.flat()] : all.flat()
}

const helpOf = (words: ReadonlyArray<string>): Promise<HelpDoc> =>
  new Promise((resolve, reject) => {
    const presenter = CliOutput.layerPresenter({
      present: (event) => Effect.sync(() => void (event._tag === "Help" && resolve(event.helpDoc)))
    })
    Effect.runPromise(Effect.provide(run([...words, "--help"]), [presenter, NodeServices.layer])).catch(reject)
  })
