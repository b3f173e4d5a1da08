/**
 * Records of many SMS of one account, as sends and receipts would have left them. They are the same every time.
 */
import { type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"

export interface Shape {
  readonly rows: number
  /** The days that they are spread over, evenly. */
  readonly days: number
}

/** A row of `deliveries`, but for the partition. */
export interface Row {
  readonly id: DeliveryId
  readonly recipient: string
  readonly sender: string
  readonly phase: number
  readonly status: string
  readonly rank: number
  readonly price: number
  readonly parts: number
  readonly reference: number
  readonly createdAt: number
  readonly statusAt: number
  readonly details: string
}

const DAY = 24 * 60 * 60 * 1000
const PHASE = { accepted: 2, rejected: 3 }

/** The records in the order in which they were sent, the last of them now. */
export function* records({ days, rows }: Shape): Generator<Row> {
  const random = randomFrom(rows)
  const first = Date.now() - days * DAY
  for (let index = 0; index < rows; index++) {
    const createdAt = first + Math.floor((index / rows) * days * DAY)
    const status = oneOf(random, [["delivered", 92] as const, ["undelivered", 5], ["failed", 2]], "sent")
    const parts = oneOf(random, [[1, 90] as const, [2, 9]], 3)
    const part = oneOf(random, [[50_000, 60] as const, [70_000, 30]], 110_000)
    const details = {
      encoding: "gsm7",
      text: `Your code is ${Math.floor(random() * 1e6)}`,
      carrier_status: status === "delivered" ? "DELIVRD" : "UNDELIV",
      carrier_error: "000"
    }
    yield {
      id: nextDeliveryId(createdAt),
      // A phone gets five messages on average, however many there are.
      recipient: `+49151${String(10_000_000 + Math.floor((random() * rows) / 5)).padStart(8, "0")}`,
      sender: oneOf(random, [["Acme", 70] as const, ["Bank", 20], ["Shop", 9.9]], "Rare"),
      phase: status === "failed" ? PHASE.rejected : PHASE.accepted,
      status,
      rank: status === "sent" ? 1 : 2,
      price: parts * part,
      parts,
      reference: index & 0xffff,
      createdAt,
      statusAt: createdAt + 500 + Math.floor(random() * 10_000),
      details: JSON.stringify(details)
    }
  }
}

type Random = () => number

/** Mulberry32, public domain. */
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
const oneOf = <A, B>(random: Random, values: ReadonlyArray<readonly [A, number]>, otherwise: B): A | B => {
  let left = random() * 100
  for (const [value, share] of values) {
    left -= share
    if (left < 0) return value
  }
  return otherwise
}
