/**
 * Programs that work on a store in processes of their own: `load.ts`, `purge.ts`, `race.ts` and `serve.ts`.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { endWithRunner } from "../exits/endWithRunner.ts"

export type Program = ChildProcessByStdio<null, Readable, null>

type File = "load.ts" | "purge.ts" | "race.ts" | "serve.ts"

export const pathOf = (file: File): string => fileURLToPath(new URL(file, import.meta.url))

/** Starts a program. */
export const program = (file: File, ...args: ReadonlyArray<string>): Program => {
  const child = spawn(process.execPath, [pathOf(file), ...args], { stdio: ["ignore", "pipe", "inherit"] })
  endWithRunner(child)
  return child
}

/**
 * The lines that a program wrote until it ended.
 *
 * @param onLine is told how many there are so far
 */
export const linesOf = async (
  child: Program,
  onLine: (count: number) => void = () => {}
): Promise<ReadonlyArray<string>> => {
  let text = ""
  let count = 0
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    count += chunk.split("\n").length - 1
    onLine(count)
  })
  const [code, signal] = await once(child, "close")
  const expected = child.killed ? "SIGKILL" : 0
  if ((signal ?? code) !== expected) throw new Error(`a program ended with ${signal ?? code}, not with ${expected}`)
  // The kill has cut the text off behind the last line break.
  return text.split("\n").slice(0, -1)
}

/**
 * The lines that a program wrote before it was killed, at least so many.
 *
 * @param meanwhile runs before it is killed
 */
export const linesUntilKilled = async (
  child: Program,
  killAfter: number,
  meanwhile: () => Promise<void> = async () => {}
): Promise<ReadonlyArray<string>> => {
  const due = Promise.withResolvers<void>()
  const lines = linesOf(child, (count) => {
    if (count >= killAfter) due.resolve()
  })
  await Promise.race([due.promise, lines])
  await meanwhile().finally(() => child.kill("SIGKILL"))
  return lines
}
