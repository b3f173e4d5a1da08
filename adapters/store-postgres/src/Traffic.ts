import type { Service } from "@watchword/store/Store"
import { addTraffic, decodeTraffic, encodeTraffic, selectTraffic, trafficParameters } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import { type Connections, failWith } from "./Connections.ts"
import { writable } from "./Rows.ts"

/** The traffic roll-up. */
export const make = ({ ask, query }: Connections, s: string): Pick<Service, "addTraffic" | "traffic"> => {
  const upsertOf = (table: string, parameter: string) =>
    addTraffic(`${s}.${table}`, `json_array_elements(${parameter}::json) AS each(value)`, (place, isText) =>
      isText ? `value ->> ${place}` : `(value ->> ${place})::bigint`
    )
  const upsert = `WITH days AS (${upsertOf("traffic_days", "$2")}) ${upsertOf("traffic", "$1")}`
  return {
    // Not repeated if the outcome is uncertain: repeating it would count twice.
    addTraffic: (rows) => {
      const { traffic, traffic_days: days } = encodeTraffic(rows.map(written))
      return Effect.tryPromise({ try: () => query(upsert, [traffic, days]), catch: (error) => error }).pipe(
        Effect.catch(failWith),
        Effect.asVoid
      )
    },
    traffic: (asked) =>
      Effect.map(
        ask<[sums: ReadonlyArray<never>]>(
          selectTraffic(asked.by, {
            list: "json_build_array",
            parameter: (n) => `$${n}::bigint`,
            prefix: `${s}.`,
            sum: (column) => `sum(${column})::bigint`,
            account: "$5::text"
          }),
          trafficParameters(asked)
        ),
        (rows) => rows.map(([sums]) => decodeTraffic(asked.by)(sums))
      )
  }
}

/** Carrier names come from settings. */
const written = ({ amounts, key }: Parameters<Service["addTraffic"]>[0][number]) => ({
  key: { ...key, carrier: writable(key.carrier) },
  amounts
})
