/**
 * A database file with many pending verifications: the records that a server has left behind, copied over and over,
 * each copy with other ids and to another number. Their next steps are due evenly over a time.
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import Sqlite from "better-sqlite3"
import { type Row, columnsOf, insertOf } from "./rows.ts"

/** The verifications of a file whose next step is awaited, and when it is due. */
const AWAITED = "due_at IS NOT NULL AND json_extract(details, '$.attempts') IS NOT NULL"

/** Adds verifications until so many are pending; their steps are not due. The file must have one. */
export const wait = (file: string, verifications: number): void => {
  const db = new Sqlite(file)
  db.pragma("synchronous = OFF")
  db.pragma("cache_size = -400000")
  const models = db.prepare<[], Row>(`SELECT * FROM deliveries WHERE ${AWAITED} ORDER BY n`).all()
  const sends = new Map(
    db
      .prepare<[], Row>(`SELECT * FROM deliveries WHERE NOT (${AWAITED})`)
      .all()
      .map((row) => [row["id"], row])
  )
  const columns = columnsOf(db, "deliveries").filter((name) => name !== "listed_at")
  const insert = insertOf(db, "deliveries", columns)
  let n = db.prepare<[], number>("SELECT max(n) FROM deliveries").pluck().get() ?? 0

  const addOne = (index: number): void => {
    const model = models[index % models.length]
    if (model === undefined) throw new Error(`${file} has no pending verifications`)
    const details = String(model["details"])
    const [sent = ""] = /[0-7][0-9A-HJKMNP-TV-Z]{25}(?=\\")/.exec(details) ?? []
    const send = sends.get(sent)
    if (send === undefined) throw new Error(`a verification's send ${sent} is not in ${file}`)
    const [id, sendId] = [nextDeliveryId(Date.now()), nextDeliveryId(Date.now())]
    const recipient = `+49160${String(1_000_000 + index).padStart(7, "0")}`
    const own = { recipient }
    insert.run({ ...model, ...own, n: ++n, id, due_at: 1e15, details: details.replaceAll(sent, sendId) })
    const origin = String(send["details"]).replaceAll(String(model["id"]), id)
    insert.run({ ...send, ...own, n: ++n, id: sendId, details: origin })
  }

  const addSome = db.transaction((from: number, until: number): void => {
    for (let index = from; index < until; index++) addOne(index)
  })
  for (let from = models.length; from < verifications; from += AT_ONCE) {
    addSome(from, Math.min(verifications, from + AT_ONCE))
  }
  db.prepare(
    `UPDATE deliveries SET due_at = 1e15, details = json_set(details, '$.expires_at', 1e15) WHERE ${AWAITED}`
  ).run()
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

/** Verifications in one transaction. */
const AT_ONCE = 10_000

/** Has the next steps of a file's verifications be due evenly, from a time on. */
export const spread = (file: string, { from, seconds }: { readonly from: number; readonly seconds: number }): void => {
  const db = new Sqlite(file)
  db.pragma("synchronous = OFF")
  db.prepare(
    `UPDATE deliveries SET due_at = :from + CAST(:length * place / (total + 1.0) AS INTEGER)
     FROM (SELECT n AS item, row_number() OVER (ORDER BY id) AS place, count(*) OVER () AS total
           FROM deliveries WHERE ${AWAITED})
     WHERE n = item`
  ).run({ from, length: seconds * 1000 })
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

/** How late the second steps were that were due until a time, in milliseconds; infinitely for those still to come. */
export const lateness = (
  file: string,
  { until, planned }: { readonly until: number; readonly planned: ReadonlyMap<string, number> }
): ReadonlyArray<number> => {
  const db = new Sqlite(file, { readonly: true })
  const taken = new Map(
    db
      .prepare<[], { readonly id: string; readonly at: number }>(
        "SELECT id, json_extract(json_extract(details, '$.attempts'), '$[1].at') AS at FROM deliveries " +
          "WHERE json_extract(json_extract(details, '$.attempts'), '$[1].at') IS NOT NULL"
      )
      .all()
      .map(({ at, id }) => [id, at])
  )
  db.close()
  return [...planned].flatMap(([id, due]) => (due <= until ? [(taken.get(id) ?? Infinity) - due] : []))
}

/** When the next steps are due until a time, by the ids of their verifications. */
export const plannedUntil = (file: string, until: number): ReadonlyMap<string, number> => {
  const db = new Sqlite(file, { readonly: true })
  const rows = db
    .prepare<[number], { readonly id: string; readonly due: number }>(
      `SELECT id, due_at AS due FROM deliveries WHERE due_at <= ? AND ${AWAITED}`
    )
    .all(until)
  db.close()
  return new Map(rows.map(({ due, id }) => [id, due]))
}
