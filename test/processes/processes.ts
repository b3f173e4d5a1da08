/**
 * Processes that a test starts, asks and kills, see `program.ts`.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Fate, Operation, Told } from "./protocol.ts"
import { endWithRunner } from "../exits/endWithRunner.ts"

export type Sent = Extract<Told, { _tag: "Sent" }>
export type Answer = { readonly answer: unknown } | { readonly code: string }
export type Process = Awaited<ReturnType<typeof launch>>

/** A process that serves on the store at an address, with what its gateway was given. */
export const launch = async (address: string, fate: Fate = "taken") => {
  const path = fileURLToPath(new URL("program.ts", import.meta.url))
  const child = fork(path, [address, fate], { stdio: "inherit" })
  endWithRunner(child)
  const waiting = new Map<number, (answer: Answer) => void>()
  const sent: Array<Sent> = []
  const ready = Promise.withResolvers<void>()
  const settle = (n: number, answer: Answer): void => {
    waiting.get(n)?.(answer)
    waiting.delete(n)
  }
  child.on("message", (told: Told) => {
    if (told._tag === "Ready") ready.resolve()
    if (told._tag === "Sent") sent.push(told)
    if (told._tag === "Answered") settle(told.n, { answer: told.answer })
    if (told._tag === "Failed") settle(told.n, { code: told.code })
  })
  child.once("exit", (code, signal) => ready.reject(new Error(`a process ended with ${signal ?? code}`)))
  await ready.promise
  let asked = 0
  const ended = once(child, "exit")
  return {
    sent,
    ask: (account: AccountId, operation: Operation): Promise<Answer> =>
      new Promise((resolve) => {
        const n = ++asked
        waiting.set(n, resolve)
        child.send({ ...operation, n, account })
      }),
    kill: async (): Promise<void> => {
      child.kill("SIGKILL")
      await ended
    },
    end: async (): Promise<void> => {
      child.disconnect()
      await ended
    }
  }
}
