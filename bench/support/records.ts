/**
 * Many records at once: rows written straight into a database file of the SQLite store, as sends, receipts and calls
 * of one account would have left them, with the store's own counts.
 */
import { nextUlid } from "@watchword/schemas/Ids"
import Sqlite from "better-sqlite3"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { FINE_WIDTH, WIDTH, bucketOf } from "@watchword/store-sql/Buckets"
import * as Partitions from "@watchword/store-sql/Partitions"

export type Channel = "sms" | "call"

export interface Wanted {
  readonly file: string
  /** The number of the account in the file. */
  readonly account: number
  readonly channel: Channel
  readonly rows: number
  /** How many days they are spread over, evenly. */
  readonly days: number
}

interface Made {
  readonly to: string
  readonly from: string
  readonly status: string
  readonly rank: number
  readonly price: number
  readonly parts: number
  readonly statusAt: number
  readonly details: object
}

const DAY = 24 * 60 * 60 * 1000
const BATCH = 50_000
const PHASE = { accepted: 2, rejected: 3 }

/** Writes the records; answers the id of the one in the middle. */
export const writeRecords = ({ account, channel, days, file, rows }: Wanted): string => {
  const db = new Sqlite(file)
  try {
    // The file is thrown away afterwards.
    db.pragma("synchronous = OFF")
    db.pragma("cache_size = -200000")
    const insert = db.prepare(
      `INSERT INTO deliveries
         (id, partition, recipient, sender, phase, status, rank, price, parts, reference, created_at, status_at, details, owner, bucket)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`
    )
    const partition = Partitions.make(ChannelRegistry.make(ChannelRegistry.builtIn)).partitionOf(
      account,
      "live",
      channel
    )
    const tables = [
      { name: "counts", width: WIDTH, counts: new Map<string, number>() },
      { name: "fine_counts", width: FINE_WIDTH, counts: new Map<string, number>() }
    ]
    const random = randomFrom(rows + (channel === "sms" ? 0 : 1))
    const first = Date.now() - days * DAY
    let middle = ""
    for (let row = 0; row < rows; row += BATCH) {
      db.exec("BEGIN")
      for (let index = row; index < Math.min(rows, row + BATCH); index++) {
        const createdAt = first + Math.floor((index / rows) * days * DAY)
        const record = channel === "sms" ? message(random, rows, createdAt) : call(random, rows, createdAt)
        const { details, from, parts, price, rank, status, statusAt, to } = record
        const id = nextUlid(createdAt)
        if (index === rows >> 1) middle = id
        const phase = status === "failed" ? PHASE.rejected : PHASE.accepted
        insert.run(
          id,
          partition,
          to,
          from,
          phase,
          status,
          rank,
          price,
          parts,
          index & 0xffff,
          createdAt,
          statusAt,
          JSON.stringify(details),
          bucketOf(channel === "sms" ? statusAt : createdAt)
        )
        for (const { counts, width } of tables) {
          const key = `${bucketOf(channel === "sms" ? statusAt : createdAt, width)} ${status}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
      db.exec("COMMIT")
    }
    db.exec("BEGIN")
    for (const { counts, name } of tables) {
      const insertCount = db.prepare(`INSERT INTO ${name} (partition, bucket, status, n) VALUES (?, ?, ?, ?)`)
      for (const [key, n] of counts) {
        const [bucket, status] = key.split(" ")
        insertCount.run(partition, Number(bucket), status, n)
      }
    }
    db.exec("COMMIT")
    db.pragma("wal_checkpoint(TRUNCATE)")
    return middle
  } finally {
    db.close()
  }
}

type Random = () => number

/** The same numbers every time. Mulberry32, public domain. */
const randomFrom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of some values, each with its share of a hundred. */
const one = <A>(random: Random, values: ReadonlyArray<readonly [A, number]>, otherwise: A): A => {
  let left = random() * 100
  for (const [value, share] of values) {
    left -= share
    if (left < 0) return value
  }
  return otherwise
}

/** A phone gets five messages on average, however many there are. */
const phone = (random: Random, rows: number): string =>
  `+49151${String(10_000_000 + Math.floor((random() * rows) / 5)).padStart(8, "0")}`

const message = (random: Random, rows: number, createdAt: number): Made => {
  const status = one(random, [["delivered", 92] as const, ["undelivered", 5], ["failed", 2]], "sent")
  const parts = one(random, [[1, 90] as const, [2, 9]], 3)
  return {
    to: phone(random, rows),
    from: one(
      random,
      [
        ["Acme", 70],
        ["Bank", 20],
        ["Shop", 9.9]
      ],
      "Rare"
    ),
    status,
    rank: status === "sent" ? 1 : 2,
    price:
      parts *
      one(
        random,
        [
          [50_000, 60],
          [70_000, 30]
        ],
        110_000
      ),
    parts,
    statusAt: createdAt + 500 + Math.floor(random() * 10_000),
    details: {
      encoding: "gsm7",
      text: `Your code is ${Math.floor(random() * 1e6)}`,
      carrier_status: status === "delivered" ? "DELIVRD" : "UNDELIV",
      carrier_error: "000"
    }
  }
}

const call = (random: Random, rows: number, createdAt: number): Made => {
  const cause = one<string>(
    random,
    [
      ["NO_ANSWER", 80],
      ["ORIGINATOR_CANCEL", 17],
      ["USER_BUSY", 2.9]
    ],
    "CALL_REJECTED"
  )
  const rang = cause === "NO_ANSWER" || cause === "ORIGINATOR_CANCEL"
  const country = one(
    random,
    [
      ["DE", 70],
      ["AT", 20],
      ["CH", 9.9]
    ],
    "LI"
  )
  const pdd = Math.round(500 + random() * 2500) / 1000
  const duration = rang ? Math.round(5 + random() * 10) : 0
  return {
    to: phone(random, rows),
    from: one(
      random,
      [
        ["+4930901820123", 90],
        ["+4930901820124", 9.9]
      ],
      "+4930901820125"
    ),
    status: rang ? "ended" : "failed",
    rank: 2,
    price: 20_000,
    parts: 1,
    statusAt: createdAt + 1000 * (pdd + duration),
    details: {
      hangup_cause: cause,
      duration,
      billsec: 0,
      pdd: rang ? pdd : 0,
      destination_country: { DE: "Germany", AT: "Austria", CH: "Switzerland", LI: "Liechtenstein" }[country] ?? null,
      destination_country_code: country,
      sip_status: rang ? 487 : 486,
      q850: rang ? 19 : 17,
      ...(random() < 0.5 ? { reported_status: random() < 0.9 ? "Success" : "Failed" } : {}),
      ...(rang ? { rang_at: createdAt + 1000 * pdd, dialog: null } : {})
    }
  }
}
