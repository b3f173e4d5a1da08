/**
 * The thread that summarises: it writes to the file through a connection of its own.
 */
import Sqlite from "better-sqlite3"
import { constants, setPriority } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import { isBusy } from "./failures.ts"
import { PATIENCE } from "./patiently.ts"
import type { Word } from "./Summaries.ts"
import { SHAPE } from "./summaries/Shape.ts"
import * as Summariser from "./summaries/Summariser.ts"

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW)

const filename: string = workerData
const db = new Sqlite(filename, { timeout: PATIENCE })
// What is summarised can be summarised again: it need not wait for the disk.
db.pragma("synchronous = NORMAL")
// Another thread brings the log into the file while there are sends; without them, nobody else does.
db.pragma("wal_autocheckpoint = 16000")
const summariser = Summariser.make(db, SHAPE)

/** How long until a drawer is looked at again whose records are too young, in milliseconds. */
const LATER = SHAPE.settled / 4

/** Drawers to look at, oldest word first; and those to look at again. */
const waiting = new Set<number>()
const later = new Set<number>()
let works = false

const look = (drawers: Iterable<number>): void => {
  for (const drawer of drawers) waiting.add(drawer)
  if (!works) void work()
}

const work = async (): Promise<void> => {
  works = true
  for (const drawer of waiting) {
    waiting.delete(drawer)
    while (step(drawer)) {
      // Whoever waits to write comes first.
      await pause(2)
    }
    if (summariser.waits(drawer)) lookLater(drawer)
  }
  works = false
}

const lookLater = (drawer: number): void => {
  if (later.size === 0) {
    setTimeout(() => {
      const drawers = [...later]
      later.clear()
      look(drawers)
    }, LATER)
  }
  later.add(drawer)
}

const step = (drawer: number): boolean => {
  try {
    return summariser.step(drawer, Date.now())
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  }
}

parentPort?.on("message", (word: Word) => {
  look(word === "all" ? summariser.drawers() : word)
})
