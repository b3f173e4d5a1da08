/**
 * The lease of the one process that serves.
 */
import type { Lease, ProcessStore } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { Database } from "./Database.ts"
import { NOW, transact } from "./Transaction.ts"

export const processesOf = (database: Database): ProcessStore => {
  const { all, run } = database
  return {
    renewLease: ({ duration, process }) =>
      transact(database)(() => {
        if (run(`UPDATE processes SET until = ${NOW} + ? WHERE id = ?`, duration, process) === 1) return
        // One process at a time: the first lease of a process ends all others.
        run("UPDATE processes SET until = 0")
        run(`INSERT INTO processes (id, until) VALUES (?, ${NOW} + ?)`, process, duration)
      }),
    leases: transact(database)(() =>
      all<Lease>(`SELECT json_object('process', id, 'until', until) FROM processes WHERE until > ${NOW} ORDER BY id`)
    ),
    signal: () => Effect.void,
    signals: () => Effect.void
  }
}
