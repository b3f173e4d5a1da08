/**
 * A database file with many records: the records that a server has left behind, copied over and over, each copy with
 * other ids and refs, to another number, at another time. The times are spread evenly over thirty days until now.
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { FINE_WIDTH, WEEK, WIDTH } from "@watchword/store/sql"
import Sqlite from "better-sqlite3"
import { type Row, columnsOf, insertOf } from "./rows.ts"

const DAYS = 30
const DAY = 24 * 60 * 60 * 1000
/** Rows in one transaction. */
const AT_ONCE = 20_000

/** Adds records until there are so many. The records of the file must be closed, and have one account. */
export const age = (file: string, records: number): void => {
  const db = new Sqlite(file)
  db.pragma("synchronous = OFF")
  db.pragma("cache_size = -400000")
  const all = (sql: string) => db.prepare<[], Row>(sql).all()
  const models = all("SELECT * FROM deliveries ORDER BY n")
  const byDelivery = (rows: ReadonlyArray<Row>) => Map.groupBy(rows, ({ delivery }) => delivery)
  const parts = byDelivery(all("SELECT * FROM parts"))
  const entries = byDelivery(all("SELECT * FROM entries WHERE delivery IS NOT NULL ORDER BY place"))
  const stored = columnsOf(db, "deliveries").filter((name) => name !== "listed_at")
  const insertDelivery = insertOf(db, "deliveries", stored)
  const insertPart = insertOf(db, "parts", columnsOf(db, "parts"))
  const insertEntry = insertOf(db, "entries", columnsOf(db, "entries"))
  const top = (table: string, column: string) =>
    db.prepare<[], number>(`SELECT max(${column}) FROM ${table}`).pluck().get() ?? 0
  let n = top("deliveries", "n")
  let place = top("entries", "place")
  const began = Date.now() - DAYS * DAY
  // The generator of Park and Miller, so that each file has the same numbers.
  let seed = 20_261_129
  const below = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit

  const addOne = (index: number): void => {
    const model = models[index % models.length]
    if (model === undefined) throw new Error(`${file} has no records`)
    const shift = Math.floor(began + (index / records) * DAYS * DAY) - Number(model["created_at"])
    const at = (name: string) => Number(model[name]) + shift
    n += 1
    insertDelivery.run({
      ...model,
      n,
      id: nextDeliveryId(at("created_at")),
      // A phone gets five messages on average.
      recipient: `+49160${String(1_000_000 + below(Math.ceil(records / 5)))}`,
      created_at: at("created_at"),
      status_at: at("status_at"),
      week: Math.floor(at("status_at") / WEEK)
    })
    // These refs sort before the refs of the benchmark's carrier, which count up, as refs of many carriers do.
    for (const part of parts.get(Number(model["n"])) ?? []) {
      insertPart.run({ ...part, delivery: n, ref: `9${n.toString(16).padStart(9, "0")}` })
    }
    for (const entry of entries.get(Number(model["n"])) ?? []) {
      place += 1
      insertEntry.run({ ...entry, place, delivery: n, at: Number(entry["at"]) + shift })
    }
  }

  const addSome = db.transaction((from: number, until: number): void => {
    for (let index = from; index < until; index++) addOne(index)
  })
  const missing = records - models.length
  for (let from = 0; from < missing; from += AT_ONCE) addSome(from, Math.min(missing, from + AT_ONCE))
  db.exec("UPDATE accounts SET entries = (SELECT max(place) FROM entries) & ((1 << 40) - 1)")
  for (const [table, width] of [["counts", WIDTH] as const, ["fine_counts", FINE_WIDTH] as const]) {
    db.exec(
      `DELETE FROM ${table};
       INSERT INTO ${table} (partition, bucket, status, n)
       SELECT partition, listed_at / ${width}, status, count(*) FROM deliveries GROUP BY 1, 2, 3`
    )
  }
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}
