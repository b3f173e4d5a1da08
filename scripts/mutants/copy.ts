/**
 * A copy of the last commit, with its dependencies installed, in which mutants are tested.
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Asked, Options, Result } from "./runner.ts"

/** A process that runs tests and keeps running, so that it need not compile the same code again. */
export interface Runner {
  /** Runs tests, or returns "late" if they take longer than the limit, in milliseconds. */
  readonly run: (asked: Asked, limit: number) => Promise<Result | "late">
  /** Ends the process after the running tests. */
  readonly close: () => Promise<void>
  /** Ends the process and the running tests. */
  readonly end: () => void
}

export interface Copy {
  readonly root: string
  /** @param env environment variables for all of its runs */
  readonly runner: (options: Options, env?: Readonly<Record<string, string>>) => Runner
  /** Ends the running tests and deletes the copy. */
  readonly remove: () => void
}

export const make = (source: string): Copy => {
  const root = mkdtempSync(join(tmpdir(), "watchword-mutants-"))
  const prepare = (command: string, ...args: ReadonlyArray<string>) => {
    const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${root}`)
  }
  prepare("git", "clone", "--quiet", source, ".")
  prepare(process.execPath, "scripts/install.mjs")

  const runners = new Set<Runner>()
  const runner: Copy["runner"] = (options, env = {}) => {
    const made = makeRunner(root, options, env)
    runners.add(made)
    return made
  }
  return {
    root,
    runner,
    remove: () => {
      for (const { end } of runners) end()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

const makeRunner = (root: string, options: Options, env: Readonly<Record<string, string>>): Runner => {
  const folder = join(root, "scripts/mutants")
  let child: ChildProcess | undefined
  const start = async (): Promise<ChildProcess> => {
    const started = fork(join(folder, "runner.ts"), [JSON.stringify(options)], {
      cwd: root,
      detached: true,
      env: { ...process.env, ...env, NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "reached.ts"))}` },
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    child = started
    const [said] = await Promise.race([once(started, "message"), once(started, "exit")])
    if (said !== "ready") throw new Error("The test runner does not start.")
    return started
  }
  const end = (): void => {
    if (child === undefined) return
    kill(child)
    child = undefined
  }
  const run: Runner["run"] = async (asked, limit) => {
    const asks = child ?? (await start())
    const { promise, resolve } = Promise.withResolvers<Result | "late">()
    const late = setTimeout(() => {
      end()
      resolve("late")
    }, limit)
    const onExit = () => {
      child = undefined
      resolve({ ran: [], errors: ["the test runner has ended"] })
    }
    asks.once("exit", onExit)
    asks.once("message", resolve)
    asks.send(asked)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      asks.removeAllListeners("exit").removeAllListeners("message")
    }
  }
  const close = async (): Promise<void> => {
    if (child === undefined) return
    const exited = once(child, "exit")
    child.disconnect()
    child = undefined
    await exited
  }
  return { run, close, end }
}

/** Kills a runner including its workers, which are in its process group. */
const kill = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) process.kill(-pid, "SIGKILL")
}
