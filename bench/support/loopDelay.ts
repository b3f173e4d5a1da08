/**
 * Lets a benchmark ask how long a server's event loop was late: Node loads this into the server's process with
 * `--import`. Each SIGUSR2 writes the delays since the last one to the file that `DELAY_FILE` names.
 */
import { renameSync, writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** In milliseconds. */
export interface Delays {
  readonly p99: number
  readonly worst: number
}

const file = process.env["DELAY_FILE"] ?? ""
const histogram = monitorEventLoopDelay({ resolution: 1 })
histogram.enable()

process.on("SIGUSR2", () => {
  const delays: Delays = { p99: histogram.percentile(99) / 1e6, worst: histogram.max / 1e6 }
  histogram.reset()
  writeFileSync(`${file}.part`, JSON.stringify(delays))
  renameSync(`${file}.part`, file)
})
