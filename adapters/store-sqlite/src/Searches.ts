/**
 * Lists, those that look at many records in a thread of their own: while one account searches through a
 * million records, the sends of all others go on.
 */
import { StoreError } from "@watchword/store/StoreError"
import type { Listing, Page } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Worker } from "node:worker_threads"
import type { Lists } from "./Lists.ts"
import type { Read } from "./patiently.ts"

/** A search through more records than this holds the event loop up for more than a few milliseconds. */
const MANY = 10_000

export interface Question {
  readonly id: number
  readonly listing: Listing
}

export type Answer =
  | { readonly _tag: "Found"; readonly id: number; readonly page: Page }
  | { readonly _tag: "Failed"; readonly id: number; readonly message: string }
  | { readonly _tag: "Died"; readonly id: number; readonly mistake: string }

export const make = (
  db: Database,
  lists: Lists,
  read: Read
): Effect.Effect<(listing: Listing) => Effect.Effect<Page, StoreError>, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeThread(db.name)),
      stop
    ),
    (thread) => {
      // What is only in memory is not there for another thread.
      const isHeavy = (listing: Listing): boolean => !db.memory && lists.effort(listing) > MANY

      return (listing) =>
        Effect.flatMap(
          read(() => isHeavy(listing)),
          (heavy) => (heavy ? thread.ask(listing) : read(() => lists.page(listing)))
        )
    }
  )

type Thread = ReturnType<typeof makeThread>

const stop = (thread: Thread): Effect.Effect<void> => Effect.promise(thread.stop)

/** A thread that is started when it is first asked, and again after it died. */
const makeThread = (filename: string) => {
  const waiting = new Map<number, (answer: Effect.Effect<Page, StoreError>) => void>()
  let worker: Worker | null = null
  let last = 0

  const ask = (listing: Listing): Effect.Effect<Page, StoreError> =>
    Effect.callback<Page, StoreError>((resume) => {
      const thread = (worker ??= start())
      // An answer that someone waits for keeps the process alive; the thread alone does not.
      if (waiting.size === 0) thread.ref()
      waiting.set(++last, resume)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ id: last, listing } satisfies Question)
    })

  const start = (): Worker => {
    const thread = new Worker(script, { workerData: filename })
    thread.on("message", receive)
    thread.on("error", ({ message }) => lose(thread, message))
    thread.on("exit", () => lose(thread, "its thread ended"))
    return thread
  }

  const receive = (answer: Answer): void => {
    const resume = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker?.unref()
    resume?.(answered(answer))
  }

  const lose = (thread: Worker, why: string): void => {
    if (worker !== thread) return
    worker = null
    const lost = [...waiting.values()]
    waiting.clear()
    for (const resume of lost) resume(Effect.fail(unavailable(`The search was interrupted: ${why}.`)))
  }

  const stop = async (): Promise<void> => {
    await worker?.terminate()
  }

  return { ask, stop }
}

const answered = (answer: Answer): Effect.Effect<Page, StoreError> => {
  switch (answer._tag) {
    case "Found":
      return Effect.succeed(answer.page)
    case "Failed":
      return Effect.fail(unavailable(answer.message))
    case "Died":
      return Effect.die(new Error(answer.mistake))
  }
}

const unavailable = (message: string) => new StoreError({ reason: "Unavailable", message })

// Sources run as they are under Node, and compiled elsewhere.
const script = new URL(`./searchThread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url)
