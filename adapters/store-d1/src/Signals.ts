/**
 * Signals between processes. D1 does not notify, so a process that listens polls every quarter of a second; a Worker
 * that does not listen asks nothing.
 */
import type { Service, Signal } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Connection, rowsOf } from "./Connection.ts"

/** Between two polls, in milliseconds. */
const INTERVAL = 250

/** How many of the last signals are kept for processes that have not polled yet. */
const KEPT = 1_000

interface Row extends Signal {
  readonly n: number
}

export const make = (connection: Connection): Pick<Service, "signal" | "signals"> => {
  const signal: Service["signal"] = ({ delivery, topic }) =>
    Effect.asVoid(
      connection.run(() => [
        { sql: "INSERT INTO signals (topic, delivery) VALUES (?1, ?2)", values: [topic, delivery] },
        { sql: "DELETE FROM signals WHERE n <= (SELECT max(n) FROM signals) - ?1", values: [KEPT] }
      ])
    )

  const signals: Service["signals"] = Effect.fnUntraced(function* (handle) {
    const [newest] = yield* connection.run(() => [{ sql: "SELECT max(n) AS n FROM signals", values: [] }])
    let heard = rowsOf<{ readonly n: number | null }>(newest)[0]?.n ?? 0
    const listen = Effect.gen(function* () {
      const [later] = yield* connection.run(() => [
        { sql: "SELECT n, topic, delivery FROM signals WHERE n > ?1 ORDER BY n", values: [heard] }
      ])
      for (const { delivery, n, topic } of rowsOf<Row>(later)) {
        heard = n
        yield* handle({ topic, delivery })
      }
    })
    yield* Effect.sleep(INTERVAL).pipe(Effect.andThen(Effect.ignore(listen)), Effect.forever, Effect.forkScoped)
  })

  return { signal, signals }
}
