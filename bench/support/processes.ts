/**
 * Processes pinned to cores, and their resource usage.
 *
 * The server that is measured has the first core to itself; load, carrier and everything else share the second.
 * Without `taskset`, or with only one core, nothing is pinned, and the machine line says so.
 */
import { type ChildProcess, type SpawnOptions, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"

export const SERVER_CORE = 0
export const LOAD_CORE = 1

export const canPin =
  process.platform === "linux" &&
  availableParallelism() > 1 &&
  spawnSync("taskset", ["-c", "0", "true"], { stdio: "ignore" }).status === 0

/** Starts a program on a core, or on any core if it is null; the program ends with this process. */
export const startOn = (
  core: number | null,
  program: string,
  args: ReadonlyArray<string>,
  options: SpawnOptions
): ChildProcess => {
  const child =
    canPin && core !== null
      ? spawn("taskset", ["-c", String(core), program, ...args], options)
      : spawn(program, [...args], options)
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

const running = new Set<ChildProcess>()
const folders: Array<string> = []
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

/** A new folder for databases and the like; it is removed when this process ends. */
export const workFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "watchword-bench-"))
  folders.push(folder)
  return folder
}

/** Runs a file of this repository with Node on a core, or on any core; they exchange messages over `process.send`. */
export const forkOn = (
  core: number | null,
  file: string,
  { args = [], env = {} }: { readonly args?: ReadonlyArray<string>; readonly env?: NodeJS.ProcessEnv } = {}
): ChildProcess =>
  startOn(core, process.execPath, [...args, file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })

/** Pins this process to a core. */
export const keepTo = (core: number): void => {
  if (canPin) execFileSync("taskset", ["-a", "-p", "-c", String(core), String(process.pid)], { stdio: "ignore" })
}

/** Moves this process to the load's core, so that it does not take time from the server. */
export const stepAside = (): void => keepTo(LOAD_CORE)

/** Sends a message and waits for the reply. */
export const ask = <A>(child: ChildProcess, question: object): Promise<A> => {
  const { promise, reject, resolve } = Promise.withResolvers<A>()
  const gone = (): void => reject(new Error("a process that was asked has ended"))
  child.once("exit", gone)
  child.once("message", (message: A) => {
    child.off("exit", gone)
    resolve(message)
  })
  child.send(question)
  return promise
}

/** Waits until the process has printed a match, and returns the match. */
export const printed = async (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> => {
  let text = ""
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString()
      const match = pattern.exec(text)
      if (match !== null) resolve(match)
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} before it was ready: ${text}`)))
  })
}

/** Ends a process and waits for its exit. */
export const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGTERM")
  await gone
}

const TICKS = process.platform === "linux" ? Number(execFileSync("getconf", ["CLK_TCK"]).toString()) : 100

/** Microseconds of CPU used so far by all threads of the processes, user and system; 0 for an ended process. */
export const cpuOf = (...pids: ReadonlyArray<number>): number =>
  pids.reduce((sum, pid) => {
    if (!existsSync(`/proc/${pid}/stat`)) return sum
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS
  }, 0)

/** A process and its children. */
export const familyOf = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").map(Number).filter(Boolean)
]

/** Microseconds of CPU used so far by a process and its children, including children that have ended. */
export const cpuOfAll = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return cpuOf(...familyOf(pid)) + ((Number(fields[13]) + Number(fields[14])) * 1_000_000) / TICKS
}

/** Bytes of memory that a process occupies. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024

/** The most bytes of memory that a process has occupied since the last call, or since its start. */
export const peakOf = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, "latin1")
  // Resets VmHWM to the memory that is resident now, see proc_pid_clear_refs(5).
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** The id of a started process. */
export const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error("the process was not started")
  return pid
}
