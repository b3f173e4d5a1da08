import type { Service } from "@watchword/store/Store"
import { addTraffic, decodeTraffic, encodeTraffic, selectTraffic } from "@watchword/store/internal/sql/TrafficSql"
import * as Effect from "effect/Effect"
import { type Connections, failWith } from "./Connections.ts"
import { writable } from "./Rows.ts"

/** The traffic roll-up. */
export const make = ({ ask, query }: Connections, s: string): Pick<Service, "addTraffic" | "traffic"> => {
  const table = `${s}.traffic`
  const upsert = addTraffic(
    "json_array_elements($1::json) AS each(value)",
    (place, isText) => (isText ? `value ->> ${place}` : `(value ->> ${place})::bigint`),
    table
  )
  return {
    // Not repeated where the outcome is uncertain: what is added twice counts twice.
    addTraffic: (rows) =>
      Effect.tryPromise({ try: () => query(upsert, [encodeTraffic(rows.map(written))]), catch: (error) => error }).pipe(
        Effect.catch(failWith),
        Effect.asVoid
      ),
    traffic: ({ account, by, since, until }) =>
      Effect.map(
        ask<[sums: ReadonlyArray<never>]>(
          selectTraffic(
            by,
            {
              list: "json_build_array",
              parameter: (n) => `$${n}::bigint`,
              sum: (column) => `sum(${column})::bigint`,
              account: "$3::text"
            },
            table
          ),
          [since, until, account]
        ),
        (rows) => rows.map(([sums]) => decodeTraffic(by)(sums))
      )
  }
}

/** Names of carriers come from settings. */
const written = ({ amounts, key }: Parameters<Service["addTraffic"]>[0][number]) => ({
  key: { ...key, carrier: writable(key.carrier) },
  amounts
})
