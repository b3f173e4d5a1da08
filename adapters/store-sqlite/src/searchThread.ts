/**
 * The thread that looks for lists: it reads the file through a connection of its own.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { makePartitions } from "@watchword/store/sql"
import Sqlite from "better-sqlite3"
import { parentPort, workerData } from "node:worker_threads"
import * as AccountNumbers from "./AccountNumbers.ts"
import * as Deliveries from "./Deliveries.ts"
import { toStoreError } from "./failures.ts"
import * as Lists from "./Lists.ts"
import * as LogLimit from "./LogLimit.ts"
import * as Processes from "./Processes.ts"
import type { Answer, Question, Setup } from "./Searches.ts"

const { channels, filename }: Setup = workerData
const db = new Sqlite(filename, { readonly: true })
const registry = ChannelRegistry.make(channels)
const partitions = makePartitions(registry)
const accounts = AccountNumbers.make(db)
const deliveries = Deliveries.make(db, accounts, Processes.make(db), partitions)
const lists = Lists.make(db, { registry, partitions, accounts, deliveries })

const limitLog = LogLimit.make(filename)

const answer = ({ id, listing, stopped }: Question): Answer => {
  try {
    const page = lists.slow(listing, () => Atomics.load(stopped, 0) !== 0)
    return page === null ? { _tag: "Stopped", id } : { _tag: "Found", id, page }
  } catch (error) {
    const failure = toStoreError(error)
    return failure === null
      ? { _tag: "Died", id, mistake: String(error) }
      : { _tag: "Failed", id, message: failure.message }
  }
}

const post = (news: Answer): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(news)
}

parentPort?.on("message", (question: Question) => {
  post(answer(question))
  limitLog()
})

post({ _tag: "Ready" })
