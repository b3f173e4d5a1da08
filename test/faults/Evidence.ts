/**
 * The evidence about an installation at one moment: its records, ledger and outbox, the messages and answers that
 * reached its peers and its clients, and the output of its programs.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { type Report, audit } from "@watchword/operator/Audit"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Entry } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import { type EventRow, Snapshots } from "@watchword/store/Snapshots"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Arrival } from "./Arrivals.ts"
import type { Asked } from "./Asking.ts"
import type { Written } from "./peers/carrier.ts"
import type { Told } from "./peers/receiver.ts"
import type { Site } from "./Site.ts"

export interface Evidence {
  readonly records: ReadonlyArray<Delivery>
  readonly entries: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<EventRow>
  readonly audit: Report
  /** How many records a list counts for a channel, in total (status null) and for each status. */
  readonly totals: ReadonlyArray<{ readonly channel: string; readonly status: string | null; readonly total: number }>
  readonly arrivals: ReadonlyArray<Arrival>
  readonly asked: ReadonlyArray<Asked>
  /** Texts that users, and others, have sent to the service. */
  readonly written: ReadonlyArray<Written>
  readonly told: ReadonlyArray<Told>
  readonly printed: ReadonlyArray<{ readonly by: string; readonly text: string }>
  readonly secrets: ReadonlyArray<string>
  /** Exits of servers that no fault has caused. */
  readonly deaths: ReadonlyArray<string>
  /** Erased numbers, and the places where they can still be found. */
  readonly erased: ReadonlySet<string>
  readonly traces: ReadonlyArray<string>
}

/** A breach of a rule. */
export interface Violation {
  readonly rule: string
  /** The number that it concerns, which identifies its round; null if it concerns no number. */
  readonly number: string | null
  readonly what: string
}

export const PRODUCTS = ["sms", "call", "chatgw", "chatgw_probe", "bizchat", "verify"] as const

/** The rows of the database. */
export const readRows = (
  { database }: Pick<Site, "database">,
  account: AccountId
): Promise<Pick<Evidence, "records" | "entries" | "events" | "audit" | "totals">> =>
  Effect.gen(function* () {
    const store = yield* Store
    const records: Array<Delivery> = []
    for (const channel of PRODUCTS) {
      for (let offset = 0, isOver = false; !isOver; offset += PAGE) {
        const { rows } = yield* store.list({ ...query(account, channel), where: [], offset, limit: PAGE })
        records.push(...rows)
        isOver = rows.length < PAGE
      }
    }
    const totals: Array<Evidence["totals"][number]> = []
    for (const channel of PRODUCTS) {
      const own = records.filter((record) => record.channel === channel)
      for (const status of [null, ...new Set(own.map((record) => record.status.name))]) {
        const where = status === null ? [] : [{ _tag: "In", field: "status", values: [status] } as const]
        const { total } = yield* store.list({ ...query(account, channel), where, offset: 0, limit: 1 })
        totals.push({ channel, status, total })
      }
    }
    const entries = yield* store.entries({ account, after: null, limit: 1_000_000 })
    const { take } = yield* Snapshots
    const events = yield* Effect.scoped(Effect.flatMap(take, (snapshot) => Stream.runCollect(snapshot.events)))
    return { records, totals, entries, events, audit: yield* audit }
  }).pipe(Effect.provide(Layer.provideMerge(database.layer, ChannelRegistry.layerBuiltIn)), Effect.runPromise)

const PAGE = 1_000

const query = (account: AccountId, channel: (typeof PRODUCTS)[number]) =>
  ({ account, mode: "live", channel, sort: { field: "id", direction: "ASC" } }) as const
