/**
 * The part of the port that keeps events until their endpoints have taken them. Steps of sends write them, see
 * `@watchword/store/Event`; any process takes due events and sends them.
 *
 * An event is pending until it is sent or has failed. It is taken under a lease, so that the events of a process that
 * died come up again; a delivery that was made twice has the same event id. Leases and due times follow the store's
 * clock.
 *
 * What this part has answered survives the end of the process, and need not survive the machine's: an event that was
 * settled may then be sent again, and none is lost.
 */
import type { EventId } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type { Event } from "../Event.ts"
import type { StoreError } from "../StoreError.ts"

/** An event under a lease. */
export interface TakenEvent extends Event {
  /** How often it was taken, this time included; replayed, it begins again. */
  readonly attempts: number
  /** The end of the lease, by which `settleEvents` knows it. */
  readonly until: number
}

/** What became of an event that was taken. */
export interface Settlement {
  readonly id: EventId
  /** The end of the lease under which it was taken. */
  readonly until: number
  readonly outcome:
    | { readonly _tag: "Sent" }
    /** It is due again after so many milliseconds. */
    | { readonly _tag: "Retry"; readonly after: number }
    /** It is not sent any more. */
    | { readonly _tag: "Failed" }
  /** The endpoint's answer in a few words, for operators. */
  readonly answer: string
}

export interface EventSummary {
  readonly pending: number
  /** The time of the oldest pending event; null if none is. */
  readonly oldestPending: number | null
  /** The failed events that are still kept. */
  readonly failed: number
  /** The time at which the last kept event was sent. */
  readonly sentAt: number | null
  /** The last answer to a kept event. */
  readonly lastAnswer: { readonly answer: string; readonly at: number } | null
}

/** An event that is kept, and what became of it. */
export interface KeptEvent extends Event {
  readonly state: EventState
  /** How often it was taken; replayed, it begins again. */
  readonly attempts: number
  /** When it may be taken next: under a lease, at the end of it. Of the others, when it was last. */
  readonly dueAt: number
  /** The last answer to it; null for none yet. */
  readonly lastAnswer: { readonly answer: string; readonly at: number } | null
}

export type EventState = "pending" | "sent" | "failed"

/** What all endpoints are owed. */
export type EventBacklog = Pick<EventSummary, "pending" | "oldestPending">

export interface EventStore {
  /** Writes events that no step has made; each is due from its time on. Repeating an id changes nothing. */
  readonly appendEvents: (events: ReadonlyArray<Event>) => Effect.Effect<void, StoreError>

  /**
   * Takes due events, each endpoint's oldest due first. At most so many of an endpoint are under leases at a time, in
   * all processes, and the endpoints take turns: a slow one holds up no other. Asked every second: without pending
   * events it costs one look at an index.
   *
   * Events whose answer was lost are taken again when their lease is over.
   */
  readonly takeEvents: (query: {
    /** In milliseconds. */
    readonly lease: number
    readonly limit: number
    readonly perEndpoint: number
    /** How many events of an endpoint, if it differs from `perEndpoint`; 0 for none. At most a hundred. */
    readonly bounds?: Bounds
  }) => Effect.Effect<ReadonlyArray<TakenEvent>, StoreError>

  /** Writes down what became of events. Changes nothing of those whose lease is not theirs any more. */
  readonly settleEvents: (settlements: ReadonlyArray<Settlement>) => Effect.Effect<void, StoreError>

  /** Deletes the pending events of an endpoint, taken or not, and answers how many. */
  readonly dropEvents: (endpoint: string) => Effect.Effect<number, StoreError>

  /**
   * Makes the sent and failed events of an endpoint whose ids are of this time or later due again, and answers how
   * many.
   */
  readonly replayEvents: (query: {
    readonly endpoint: string
    readonly since: number
  }) => Effect.Effect<number, StoreError>

  /**
   * Makes an event of an endpoint due now; a sent or failed event begins again with its first attempt. Returns `False`
   * if there is no such event, and while it is under a lease.
   */
  readonly replayEvent: (query: {
    readonly endpoint: string
    readonly id: EventId
  }) => Effect.Effect<boolean, StoreError>

  /**
   * Events of an endpoint in a state: pending ones the soonest due first, others the last answered first. Asked by
   * operators: it reads so many at most.
   */
  readonly events: (query: {
    readonly endpoint: string
    readonly state: EventState
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<KeptEvent>, StoreError>

  /** An event of an endpoint by its id; null if the endpoint has no such event. */
  readonly event: (query: {
    readonly endpoint: string
    readonly id: EventId
  }) => Effect.Effect<KeptEvent | null, StoreError>

  readonly eventSummary: (endpoint: string) => Effect.Effect<EventSummary, StoreError>

  /**
   * Counts the pending events of all endpoints up to a limit, and returns the time of the oldest counted event. Asked
   * every few seconds: it reads only an index of pending events.
   */
  readonly eventBacklog: (limit: number) => Effect.Effect<EventBacklog, StoreError>

  /** Deletes sent and failed events whose ids are of an earlier time. */
  readonly pruneEvents: (before: number) => Effect.Effect<void, StoreError>
}

/** How many events of an endpoint may be under leases, by the endpoint. */
export type Bounds = ReadonlyMap<string, number>
