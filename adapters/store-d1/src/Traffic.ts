import type { Service } from "@watchword/store/Store"
import {
  TRAFFIC_TABLES,
  decodeTraffic,
  encodeTraffic,
  sqliteAddTraffic,
  sqliteSelectTraffic,
  trafficParameters
} from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import { type Connection, rowsOf } from "./Connection.ts"

/** The traffic roll-up. */
export const make = (connection: Connection): Pick<Service, "addTraffic" | "traffic"> => ({
  // Not repeated if D1 does not say whether it happened: repeating it would count twice.
  addTraffic: (rows) => {
    const encoded = encodeTraffic(rows)
    const upserts = TRAFFIC_TABLES.map((table) => ({ sql: sqliteAddTraffic(table), values: [encoded[table]] }))
    return Effect.asVoid(Effect.catchTag(connection.once(upserts), "Changed", Effect.die))
  },
  traffic: (query) =>
    Effect.map(
      connection.run(() => [{ sql: sqliteSelectTraffic(query.by), values: trafficParameters(query) }]),
      ([found]) => rowsOf<{ readonly sums: string }>(found).map(({ sums }) => decodeTraffic(query.by)(JSON.parse(sums)))
    )
})
