import {
  type TrafficQuery,
  type TrafficRow,
  type TrafficSum,
  addedTraffic,
  keptSince,
  nameOf,
  sumsOfTraffic
} from "../../Traffic.ts"

/** Rows of the traffic roll-up by their keys. */
export const make = () => {
  const rows = new Map<string, TrafficRow>()

  const add = (more: ReadonlyArray<TrafficRow>): void => {
    for (const row of more) {
      const name = nameOf(row.key)
      rows.set(name, addedTraffic(rows.get(name), row))
    }
  }

  const select = (query: TrafficQuery): ReadonlyArray<TrafficSum> => sumsOfTraffic(rows.values(), query)

  const sweep = (at: number): void => {
    for (const [name, { key }] of rows) if (key.hour < keptSince(at)) rows.delete(name)
  }

  return { add, select, sweep }
}
