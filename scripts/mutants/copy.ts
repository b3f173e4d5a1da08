/**
 * A copy of the last commit, with what it needs installed, in which mutants are tried.
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Asked, Result } from "./related.ts"

export interface Copy {
  readonly root: string
  /** Runs tests, or returns "late" where that takes too long. */
  readonly run: (asked: Asked) => Promise<Result | "late">
  /** Runs with a file's contents replaced, and puts them back. */
  readonly with: <A>(file: string, contents: string, run: () => Promise<A>) => Promise<A>
  /** Ends the tests that run, and deletes the copy. */
  readonly remove: () => void
}

/** @param limit of a run of tests, in milliseconds */
export const make = (source: string, limit: number): Copy => {
  const root = mkdtempSync(join(tmpdir(), "watchword-mutants-"))
  const prepare = (command: string, ...args: ReadonlyArray<string>) => {
    const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${root}`)
  }
  prepare("git", "clone", "--quiet", source, ".")
  prepare(process.execPath, "scripts/install.mjs")

  let running: ChildProcess | undefined
  const run: Copy["run"] = (asked) => {
    const child = fork(join(root, "scripts/mutants/related.ts"), [JSON.stringify(asked)], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
    running = child
    return new Promise((resolve) => {
      // A process that ends without a result is a failure that has no file.
      let result: Result | "late" = { ran: 0, failed: [], errors: 1 }
      const late = setTimeout(() => {
        result = "late"
        end(child)
      }, limit)
      child.on("message", (message: Result) => {
        result = message
      })
      child.on("exit", () => {
        clearTimeout(late)
        running = undefined
        resolve(result)
      })
    })
  }

  return {
    root,
    run,
    with: async (file, contents, run) => {
      const path = join(root, file)
      const before = readFileSync(path, "utf8")
      writeFileSync(path, contents)
      try {
        return await run()
      } finally {
        writeFileSync(path, before)
      }
    },
    remove: () => {
      if (running !== undefined) end(running)
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/** With its workers, which are in its group. */
const end = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) process.kill(-pid, "SIGKILL")
}
