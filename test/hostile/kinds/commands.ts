/**
 * Arguments of the operator's command, each in a process of its own: the command does as asked, or gives the reason in
 * a sentence.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { answerOf } from "../../../packages/standalone/test/Standalone.ts"
import { text } from "../inputs.ts"
import { type Fault, type Kind, shown } from "../Kind.ts"

const WORDS = [
  ["account", "create", "--balance", "X"],
  ["account", "create", "--caller", "X", "--name", "X"],
  ["account", "credit", "X", "X"],
  ["account", "entries", "X"],
  ["account", "callers", "X", "X"],
  ["account", "workflow", "set", "X", "X", "X"],
  ["key", "create", "--account", "X", "--expires", "X", "--allow", "X"],
  ["key", "revoke", "X"],
  ["guard", "block", "X", "--for", "X"],
  ["guard", "set", "X", "X"],
  ["template", "set", "X", "--locale", "X", "X"],
  ["webhook", "add", "--url", "X", "--events", "X"],
  ["webhook", "replay", "X", "--since", "X"],
  ["retention", "set", "--records", "X", "--texts", "X"],
  ["erase", "X"],
  ["why", "X"],
  ["X"],
  ["--X", "X"]
]

const words = fc
  .tuple(fc.constantFrom(...WORDS), fc.array(text(), { minLength: 4, maxLength: 4 }))
  // No argument of a program can contain a NUL or a lone surrogate.
  .map(([all, given]) =>
    all.map((word, nth) => word.replace("X", () => (given[nth % 4] ?? "").replaceAll("\0", "").toWellFormed()))
  )

const AT_ONCE = 2

export const commands: Kind = {
  name: "commands",
  share: 0.03,
  run: async (count, seed) => {
    const folder = await mkdtemp(join(tmpdir(), "watchword-hostile-"))
    const environment = { DATABASE_URL: `sqlite:${join(folder, "test.db")}` }
    const faults: Array<Fault> = []
    const left = fc.sample(words, { numRuns: count, seed })
    const work = async (): Promise<void> => {
      for (let args = left.pop(); args !== undefined; args = left.pop()) {
        const { code, stderr, stdout } = await answerOf(environment, ...args)
        const trace = /^\s+at .+:\d+:\d+\)?$|unhandled|TypeError|RangeError/im.exec(stderr + stdout)
        if ((code !== 0 && code !== 1) || trace !== null)
          faults.push({ kind: "commands", what: `ended with ${code}: ${stderr.slice(0, 600)}`, input: shown(args) })
      }
    }
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return { inputs: count, faults, memory: null }
  }
}
