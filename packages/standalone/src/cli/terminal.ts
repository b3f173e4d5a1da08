/**
 * The terminal of the person at the command line: lines appear as they come, and questions are asked where a person can
 * answer.
 */
import { createInterface } from "node:readline/promises"
import { Terminal, type TerminalService as Service } from "@watchword/operator/command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { root, withoutControls } from "./root.ts"

/** Questions are on standard error, so that standard output has only the answer. */
const ask: Service["ask"] = (question) =>
  Effect.interruptible(
    Effect.promise(async (signal) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return await lines.question(question, { signal })
      } finally {
        lines.close()
      }
    })
  )

/** With --json there is one object, and no one is asked. */
export const layer = Layer.effect(
  Terminal,
  Effect.map(root, ({ json }): Service => {
    const canAnswer = !json && process.stdin.isTTY && process.stderr.isTTY
    return {
      isLive: !json,
      say: (line) => Effect.sync(() => void (json || process.stdout.write(`${withoutControls(line)}\n`))),
      ask: canAnswer ? ask : () => Effect.succeed(null)
    }
  })
)
