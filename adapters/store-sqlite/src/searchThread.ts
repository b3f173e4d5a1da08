/**
 * The thread that searches: it reads the file through a connection of its own.
 */
import Sqlite from "better-sqlite3"
import { parentPort, workerData } from "node:worker_threads"
import * as AccountNumbers from "./AccountNumbers.ts"
import * as Deliveries from "./Deliveries.ts"
import { toStoreError } from "./failures.ts"
import * as Lists from "./Lists.ts"
import * as Processes from "./Processes.ts"
import type { Answer, Question } from "./Searches.ts"

const filename: string = workerData
const db = new Sqlite(filename, { readonly: true })
const accounts = AccountNumbers.make(db)
const lists = Lists.make(db, accounts, Deliveries.make(db, accounts, Processes.make(db)))

const answer = ({ id, listing }: Question): Answer => {
  try {
    return { _tag: "Found", id, page: lists.page(listing) }
  } catch (error) {
    const failure = toStoreError(error)
    return failure === null
      ? { _tag: "Died", id, mistake: String(error) }
      : { _tag: "Failed", id, message: failure.message }
  }
}

parentPort?.on("message", (question: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer(question))
})
