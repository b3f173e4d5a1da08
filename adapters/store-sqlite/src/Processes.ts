import type { ProcessId } from "@watchword/schemas/Ids"
import type { Lease } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"

export type Processes = ReturnType<typeof make>

/** Leases of processes. Their numbers are cached: they never change. */
export const make = (db: Database) => {
  const selectNumber = db.prepare<[ProcessId], number>("SELECT n FROM processes WHERE id = ?").pluck()
  const insertProcess = db
    .prepare<[ProcessId, number], number>("INSERT INTO processes (id, until) VALUES (?, ?) RETURNING n")
    .pluck()
  const updateUntil = db.prepare("UPDATE processes SET until = ? WHERE n = ?")
  const endOthers = db.prepare("UPDATE processes SET until = ? WHERE until > ?")
  const selectValid = db.prepare<[number], Lease>(
    "SELECT id AS process, until FROM processes WHERE until > ? ORDER BY id"
  )
  const numbers = new Map<ProcessId, number>()

  const known = (id: ProcessId): number | undefined => numbers.get(id) ?? selectNumber.get(id)

  const insert = (id: ProcessId, until: number): number => {
    const n = insertProcess.get(id, until)
    if (n === undefined) throw new Error("a process got no number")
    return n
  }

  /** The number of a process, which need not have a lease. */
  const numberOf = (id: ProcessId): number => {
    const n = known(id) ?? insert(id, 0)
    numbers.set(id, n)
    return n
  }

  const renewLease = (id: ProcessId, now: number, duration: number): void => {
    const n = known(id)
    const until = now + duration
    if (n !== undefined) {
      updateUntil.run(until, n)
      return
    }
    // One process at a time: the first lease of a process ends all others.
    endOthers.run(now, now)
    numbers.set(id, insert(id, until))
  }

  const leases = (now: number): ReadonlyArray<Lease> => selectValid.all(now)

  /** Empties the cache: a transaction that may have numbered processes was rolled back. */
  const forget = (): void => numbers.clear()

  return { numberOf, renewLease, leases, forget }
}
