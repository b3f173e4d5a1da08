/**
 * The roll-up of traffic.
 */
import { addedTraffic, sumsOfTraffic } from "@watchword/store/Traffic"
import type { TrafficRow, TrafficStore } from "@watchword/store/Store"
import type { Database } from "./Database.ts"
import { transact } from "./Transaction.ts"

export const trafficOf = (database: Database): TrafficStore => {
  const { all, one, run } = database
  const does = transact(database)
  return {
    addTraffic: (rows) =>
      does(() => {
        for (const row of rows) {
          const { hour, ...more } = row.key
          const key = JSON.stringify(Object.values(more))
          const before = one<TrafficRow>("SELECT json FROM traffic WHERE hour = ? AND key = ?", hour, key)
          const json = JSON.stringify(addedTraffic(before, row))
          run("INSERT OR REPLACE INTO traffic (hour, key, json) VALUES (?, ?, ?)", hour, key, json)
        }
      }),
    traffic: (query) =>
      does(() => {
        const { since, until } = query
        return sumsOfTraffic(
          all<TrafficRow>("SELECT json FROM traffic WHERE hour >= ? AND hour < ?", since, until),
          query
        )
      })
  }
}
