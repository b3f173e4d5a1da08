/**
 * Events: every version of a watched record has an event, and the receiver has taken each of them.
 */
import type { Evidence, Violation } from "../Evidence.ts"

export const events = ({ events: rows, records, told }: Evidence): ReadonlyArray<Violation> => {
  const taken = told.filter((each) => each.taken)
  // The id of a webhook has that of its row, and the type of the event.
  const known = new Set(taken.map(({ id }) => id.split("_")[1] ?? ""))
  const numbers = new Map<string, string>(records.map(({ id, to }) => [id, to]))
  const untold = rows.filter(({ id }) => !known.has(id))
  const written = new Set(rows.map(({ delivery, version }) => `${delivery} ${version}`))
  const missing = records.flatMap(({ channel, id, to, watch }) =>
    Array.from({ length: watch?.version ?? 0 }, (_, nth) => nth + 1)
      .filter((version) => !written.has(`${id} ${version}`))
      .map((version) => ({ rule: "event", number: to, what: `${channel} ${id} has no event of version ${version}` }))
  )
  return [
    ...missing,
    ...untold.map(({ delivery, id, version }) => ({
      rule: "event",
      number: numbers.get(delivery) ?? null,
      what: `event ${id} of ${delivery}, version ${version}, never reached the receiver`
    }))
  ]
}
