/**
 * Events as rows: columns by which they are found, and a JSON text of the rest.
 */
import type { AccountId, EventId } from "@watchword/schemas/Ids"
import { timeOfUlid } from "@watchword/schemas/Ids"
import type { Mode } from "@watchword/schemas/Channel"
import type { Fact } from "../../Event.ts"
import type { Bounds, EventBacklog } from "../EventStore.ts"
import type { Event, EventSummary, KeptEvent, Settlement, TakenEvent } from "../../Store.ts"

/** The number of a state; below 2 an event is pending. They are in databases: they never change. */
const states = { waiting: 0, taken: 1, sent: 2, failed: 3 } as const

/** The state that a settlement leaves an event in. */
export const stateAfter = ({ outcome }: Settlement): number =>
  outcome._tag === "Sent" ? states.sent : outcome._tag === "Failed" ? states.failed : states.waiting

/** In how many milliseconds an event is due after a settlement. */
export const dueAfter = ({ outcome }: Settlement): number => (outcome._tag === "Retry" ? outcome.after : 0)

/** Rows of new events: id, endpoint, time, and the rest. */
export const encodeEvents = (events: ReadonlyArray<Event>): ReadonlyArray<readonly [EventId, string, number, string]> =>
  events.map(({ account, at, endpoint, fact, id, mode }) => [
    id,
    endpoint,
    at,
    JSON.stringify({ account, mode, fact, at } satisfies Rest)
  ])

/** The bounds of endpoints, as an object of JSON. */
export const encodeBounds = (bounds: Bounds | undefined): string =>
  bounds === undefined ? "{}" : JSON.stringify(Object.fromEntries(bounds))

interface Rest {
  readonly account: AccountId
  readonly mode: Mode
  readonly fact: Fact
  readonly at: number
}

export interface TakenRow {
  readonly id: EventId
  readonly endpoint: string
  readonly due_at: number
  readonly attempts: number
  readonly event: string
}

export const decodeTaken = ({ attempts, due_at, endpoint, event, id }: TakenRow): TakenEvent => {
  const { account, at, fact, mode }: Rest = JSON.parse(event)
  return { id, endpoint, account, mode, fact, at, attempts, until: due_at }
}

export interface KeptRow extends TakenRow {
  readonly state: number
  readonly answer: string | null
  readonly answered_at: number | null
}

export const decodeKept = ({ answer, answered_at, state, ...row }: KeptRow): KeptEvent => {
  const { until, ...event } = decodeTaken(row)
  return {
    ...event,
    state: state === states.sent ? "sent" : state === states.failed ? "failed" : "pending",
    dueAt: until,
    lastAnswer: answer === null || answered_at === null ? null : { answer, at: answered_at }
  }
}

export interface SummaryRow {
  readonly pending: number
  readonly oldest: EventId | null
  readonly failed: number
  readonly sent_at: number | null
  readonly answer: string | null
  readonly answered_at: number | null
}

export type BacklogRow = Pick<SummaryRow, "pending" | "oldest">

export const decodeBacklog = ({ oldest, pending }: BacklogRow): EventBacklog => ({
  pending,
  oldestPending: oldest === null ? null : timeOfUlid(oldest)
})

export const decodeSummary = ({ answer, answered_at, failed, oldest, pending, sent_at }: SummaryRow): EventSummary => ({
  ...decodeBacklog({ oldest, pending }),
  failed,
  sentAt: sent_at,
  lastAnswer: answer === null || answered_at === null ? null : { answer, at: answered_at }
})
