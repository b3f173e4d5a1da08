import type { Service } from "@watchword/store/Store"
import {
  decodeTraffic,
  encodeTraffic,
  sqliteAddTraffic,
  sqliteSelectTraffic
} from "@watchword/store/internal/sql/TrafficSql"
import * as Effect from "effect/Effect"
import { type Connection, rowsOf } from "./Connection.ts"

/** The traffic roll-up. */
export const make = (connection: Connection): Pick<Service, "addTraffic" | "traffic"> => ({
  // Not repeated where D1 does not say whether it happened: what is added twice counts twice.
  addTraffic: (rows) =>
    Effect.asVoid(
      Effect.catchTag(
        connection.once([{ sql: sqliteAddTraffic, values: [encodeTraffic(rows)] }]),
        "Changed",
        Effect.die
      )
    ),
  traffic: ({ account, by, since, until }) =>
    Effect.map(
      connection.run(() => [{ sql: sqliteSelectTraffic(by), values: [since, until, account] }]),
      ([found]) => rowsOf<{ readonly sums: string }>(found).map(({ sums }) => decodeTraffic(by)(JSON.parse(sums)))
    )
})
