/**
 * Gives a server a disk whose syncs take `SYNC_TAKES` milliseconds longer: Node loads this into the server's process
 * with `--import`. It delays the sync that ends each group of commits on SQLite; the syncs of checkpoints are SQLite's
 * own, and stay as they are.
 */
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const TAKES = Number(process.env["SYNC_TAKES"] ?? 20)
const { fdatasync, fdatasyncSync } = fs
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

const slow = (descriptor: number, callback: fs.NoParamCallback): void =>
  fdatasync(descriptor, (error) => void setTimeout(() => callback(error), TAKES))

const slowSync = (descriptor: number): void => {
  Atomics.wait(nobodyWakes, 0, 0, TAKES)
  fdatasyncSync(descriptor)
}

Object.assign(fs, { fdatasync: slow, fdatasyncSync: slowSync })
syncBuiltinESMExports()
