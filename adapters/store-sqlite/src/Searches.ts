/**
 * Runs lists that may take long in a separate thread, so that sends continue meanwhile.
 *
 * The thread runs one list after the other. A list is stopped if it is interrupted or exceeds its time limit, which
 * includes waiting: the thread checks a flag in shared memory between two slices (see Slices.ts).
 *
 * If the thread cannot start because a bundler has left its module out, lists run on the event loop.
 */
import type { Service as ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Listing, Page } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import type { Database } from "better-sqlite3"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Worker } from "node:worker_threads"
import type { Lists } from "./Lists.ts"
import type { Read } from "./retryBusy.ts"

export interface Options {
  /** The time limit of a list in milliseconds. */
  readonly timeLimit: number
  /** The maximum number of lists that wait for the thread, including the current one, in total and for one account. */
  readonly waiting: number
  readonly waitingOfAccount: number
}

/** The data that the thread starts with. */
export interface Setup {
  readonly filename: string
  readonly channels: ChannelRegistry["channels"]
}

export interface Question {
  readonly id: number
  readonly listing: Listing
  /** Not 0 once the list is stopped. */
  readonly stopped: Int32Array
}

export type Answer =
  /** The thread has started. */
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Found"; readonly id: number; readonly page: Page }
  | { readonly _tag: "Stopped"; readonly id: number }
  | { readonly _tag: "Failed"; readonly id: number; readonly message: string }
  | { readonly _tag: "Died"; readonly id: number; readonly mistake: string }

export const make = (
  db: Database,
  { channels }: ChannelRegistry,
  lists: Lists,
  read: Read,
  options: Options
): Effect.Effect<(listing: Listing) => Effect.Effect<Page, StoreError>, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeThread({ filename: db.name, channels }, options)),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ ask }) => {
      const onEventLoop = (listing: Listing): Effect.Effect<Page, StoreError> =>
        Effect.flatMap(
          read(() => lists.slow(listing, () => false)),
          (page) => (page === null ? Effect.interrupt : Effect.succeed(page))
        )

      const inThread = (listing: Listing): Effect.Effect<Page, StoreError> =>
        ask(listing).pipe(
          Effect.timeoutOrElse({
            duration: options.timeLimit,
            orElse: () => Effect.fail(tooLong(options.timeLimit))
          }),
          Effect.catchTag("NoThread", ({ isNews }) =>
            Effect.andThen(isNews ? warning : Effect.void, onEventLoop(listing))
          )
        )

      // Another thread cannot see records that are only in memory.
      const slow = db.memory ? onEventLoop : inThread

      return (listing) =>
        Effect.flatMap(
          read(() => lists.quick(listing)),
          (page) => (page === null ? slow(listing) : Effect.succeed(page))
        )
    }
  )

/** The thread could not start. `isNews` marks a store's first failure. */
class NoThread extends Data.TaggedError("NoThread")<{ readonly isNews: boolean }> {}

const warning = Effect.logWarning(
  "long lists are read on the event loop, because their thread could not start: leave @watchword/store-sqlite out of the bundle"
)

/** A list that is waiting for its answer. */
interface Waiting {
  readonly account: AccountId
  readonly resume: (answer: Effect.Effect<Page, StoreError | NoThread>) => void
}

/** A thread that is started on first use, and again after it has died. */
const makeThread = (setup: Setup, most: Pick<Options, "waiting" | "waitingOfAccount">) => {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let hasStarted = false
  let canStart = script !== null
  let isNews = true
  let last = 0

  const noThread = (): NoThread => {
    const failure = new NoThread({ isNews })
    isNews = false
    return failure
  }

  const ask = (listing: Listing): Effect.Effect<Page, StoreError | NoThread> =>
    Effect.callback<Page, StoreError | NoThread>((resume) => {
      if (script === null || !canStart) return resume(Effect.fail(noThread()))
      const { account } = listing
      if (countOf(account) >= most.waitingOfAccount) return resume(Effect.fail(tooMany))
      if (waiting.size >= most.waiting) return resume(Effect.fail(unavailable("Too many lists wait to be looked for.")))
      const thread = (worker ??= start(script))
      // A pending list keeps the process alive, but an idle thread does not.
      if (waiting.size === 0) thread.ref()
      const id = ++last
      const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      waiting.set(id, { account, resume })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ id, listing, stopped } satisfies Question)
      return Effect.sync(() => {
        Atomics.store(stopped, 0, 1)
        waiting.set(id, { account, resume: ignored })
      })
    })

  const countOf = (account: AccountId): number => {
    let count = 0
    for (const each of waiting.values()) if (each.account === account) count += 1
    return count
  }

  const start = (module: URL): Worker => {
    // Without the program's preloads, such as tracing: they are for its main thread.
    const thread = new Worker(module, { execArgv: [], workerData: setup })
    thread.on("message", receive)
    thread.on("error", ({ message }) => lose(thread, message))
    thread.on("exit", () => lose(thread, "its thread ended"))
    return thread
  }

  const receive = (answer: Answer): void => {
    hasStarted = true
    if (answer._tag === "Ready") return
    const asker = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker?.unref()
    asker?.resume(answered(answer))
  }

  const lose = (thread: Worker, why: string): void => {
    if (worker !== thread) return
    worker = null
    const lost = [...waiting.values()]
    waiting.clear()
    canStart = hasStarted
    const failure = hasStarted ? unavailable(`The list was interrupted: ${why}.`) : noThread()
    for (const { resume } of lost) resume(Effect.fail(failure))
  }

  const stop = async (): Promise<void> => {
    await worker?.terminate()
  }

  return { ask, stop }
}

/** Ignores the answer of a stopped list, which keeps its place until the thread has noticed the stop. */
const ignored = (): void => {}

const answered = (answer: Exclude<Answer, { readonly _tag: "Ready" }>): Effect.Effect<Page, StoreError> => {
  switch (answer._tag) {
    case "Found":
      return Effect.succeed(answer.page)
    case "Stopped":
      return Effect.interrupt
    case "Failed":
      return Effect.fail(unavailable(answer.message))
    case "Died":
      return Effect.die(new Error(answer.mistake))
  }
}

const unavailable = (message: string) => new StoreError({ reason: "Unavailable", message })

const tooMany = new StoreError({
  reason: "TooManyLists",
  message: "Too many lists of one account wait to be looked for."
})

const tooLong = (milliseconds: number) =>
  new StoreError({ reason: "TimeLimit", message: `A list took longer than ${milliseconds} ms.` })

/** The URL of this module; null in a CommonJS bundle. */
const here: string | null = import.meta.url ?? null

// Bundlers look for this exact form. Node runs the sources directly; elsewhere they are compiled.
const script =
  here === null
    ? null
    : new URL(new URL("./searchThread.js", import.meta.url).href.replace(/js$/, here.endsWith(".ts") ? "ts" : "js"))
