/**
 * The phones of a development server as they change: every message, call and verification of its account, once.
 */
import type { Watchword } from "watchword"

/** A change, in the form of `GET /sandbox/phones/events`. */
export type PhoneEvent = Awaited<ReturnType<Watchword["sandbox"]["phoneEvents"]>>["events"][number]

export type Message = Extract<PhoneEvent, { readonly type: "message" }>["message"]
export type Call = Extract<PhoneEvent, { readonly type: "call" }>["call"]
export type Verification = Extract<PhoneEvent, { readonly type: "verification" }>["verification"]

export interface Feed {
  /** Calls back with each change from now on. Returns a function that ends this. */
  readonly on: (listener: (event: PhoneEvent) => void) => () => void
  /** The pending verification that changed last; null if no verification is pending. */
  readonly pending: () => Verification | null
  readonly stop: () => void
}

/** Seconds that one look waits for news. */
const WAIT = 20

const PAUSE = 1_000

type Caller = Parameters<Watchword["sandbox"]["phoneEvents"]>[0]

export const follow = (service: Watchword, caller: Caller, failed: (error: unknown) => void): Feed => {
  const listeners = new Set<(event: PhoneEvent) => void>()
  const verifications = new Map<string, Verification>()
  const stopping = new AbortController()

  const learn = (event: PhoneEvent): void => {
    if (event.type === "verification") {
      const { verification } = event
      verifications.delete(verification.id)
      if (verification.status === "pending") verifications.set(verification.id, verification)
    }
    for (const listener of listeners) listener(event)
  }

  const look = async (after: string | undefined): Promise<string | undefined> => {
    const given = after === undefined ? { wait: 0 } : { after, wait: WAIT }
    const { cursor, events, reset } = await service.sandbox.phoneEvents(caller, given)
    // The first answer is history, which an earlier run has shown.
    if (after !== undefined && !reset) events.forEach(learn)
    return cursor
  }

  const run = async (): Promise<void> => {
    let cursor: string | undefined
    while (!stopping.signal.aborted) {
      try {
        cursor = await look(cursor)
      } catch (error) {
        if (stopping.signal.aborted) return
        failed(error)
        await new Promise((resolve) => setTimeout(resolve, PAUSE).unref())
      }
    }
  }
  void run()

  return {
    on: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    pending: () => [...verifications.values()].at(-1) ?? null,
    stop: () => stopping.abort()
  }
}
