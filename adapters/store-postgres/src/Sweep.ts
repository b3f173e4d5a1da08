import type { Product } from "@watchword/schemas/Channel"
import type { Service as Registry } from "@watchword/schemas/ChannelRegistry"
import { keptSince } from "@watchword/store/Traffic"
import { TRAFFIC_TABLES, deleteTraffic } from "@watchword/store/sql"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { Connections } from "./Connections.ts"

/** How many claims, unmatched reports or counts one call removes. */
const LIMIT = 1_000

/** The port's `sweep`, in calls of bounded size. */
export const make = ({ ask }: Connections, s: string, registry: Registry): Service["sweep"] =>
  Effect.fnUntraced(function* ({ at, unmatchedBefore, unmatchedLimit }) {
    let removed = LIMIT
    while (removed >= LIMIT) {
      const rows = yield* ask(`SELECT ${s}.sweep($1, $2, $3)`, [at, unmatchedBefore, LIMIT])
      removed = Number(rows[0]?.[0])
    }
    do {
      const rows = yield* ask(`SELECT ${s}.sweep_counters($1)`, [LIMIT])
      removed = Number(rows[0]?.[0])
    } while (removed >= LIMIT)
    for (const table of TRAFFIC_TABLES) yield* ask(deleteTraffic(table, "$1::bigint", `${s}.`), [keptSince(at)])
    const dropped = new Map<Product, number>()
    for (const { name } of registry.products) {
      do {
        const values = [registry.codeOf(name), unmatchedLimit, LIMIT]
        const rows = yield* ask(`SELECT ${s}.trim_unmatched($1, $2, $3)`, values)
        removed = Number(rows[0]?.[0])
        if (removed > 0) dropped.set(name, (dropped.get(name) ?? 0) + removed)
      } while (removed >= LIMIT)
    }
    return { dropped }
  })
