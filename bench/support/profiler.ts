/**
 * Lets a benchmark profile a server for a while: Node loads this into the server's process with `--import`. A first
 * SIGUSR2 starts the profile, a second one ends it and writes it to the file that `PROFILE_FILE` names.
 */
import { renameSync, writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"

const file = process.env["PROFILE_FILE"] ?? ""
const INTERVAL = 500

const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.setSamplingInterval", { interval: INTERVAL })

let isRunning = false

const toggle = async (): Promise<void> => {
  isRunning = !isRunning
  if (isRunning) return session.post("Profiler.start")
  const { profile } = await session.post("Profiler.stop")
  writeFileSync(`${file}.part`, JSON.stringify(profile))
  renameSync(`${file}.part`, file)
}

process.on("SIGUSR2", () => void toggle())
