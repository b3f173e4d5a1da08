/**
 * A process that summarises the records of a file without end and says what it did, a line each step. Run by the
 * tests: `node summarise.ts FILE`.
 */
import Sqlite from "better-sqlite3"
import { writeSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import * as Summariser from "../src/summaries/Summariser.ts"
import { small } from "./summarising.ts"

const [, , filename = ""] = process.argv
const db = new Sqlite(filename, { timeout: 5_000 })
db.pragma("synchronous = NORMAL")
const summariser = Summariser.make(db, small)

for (;;) {
  for (const drawer of summariser.drawers()) {
    if (summariser.step(drawer, Date.now())) writeSync(1, "step\n")
    await pause(0)
  }
}
