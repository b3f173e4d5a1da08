/**
 * The books of the day: compares the messages on each phone with records and ledger.
 */
import type { Client } from "@watchword/client"
import * as Schema from "effect/Schema"
import type { Acknowledged } from "./Customers.ts"
import { CHANNELS, type Channel, type Phones } from "./Phones.ts"

/** A record from a list, with its payment according to the ledger. */
interface Record {
  readonly id: string
  readonly channel: Channel
  readonly number: string
}

interface Paid {
  readonly isCharged: boolean
  /** Whether its price is still held. */
  readonly isOpen: boolean
  readonly cost: number
}

/** An account's entries, as printed by `account entries ID --json`. */
const Entries = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({ kind: Schema.String, amount: Schema.Finite, delivery: Schema.NullOr(Schema.String) })
  )
})

/** A channel's row in the table of the day. */
export interface Row {
  readonly channel: Channel
  /** Customers' own sends that were answered with 200; sends of verifications are not included. */
  readonly acknowledged: number
  readonly records: number
  /** Messages and calls that reached a phone. */
  readonly arrived: number
  readonly charged: number
  /** In EUR, without refunded messages. */
  readonly cost: number
  readonly open: number
  /** Charged or acknowledged, but on no phone. */
  readonly lost: number
  /** On a phone more than once for one record. */
  readonly doubled: number
  /** On a phone, but not charged. */
  readonly unpaid: number
}

export interface Books {
  readonly rows: ReadonlyArray<Row>
  /** A sentence for each message that was lost, duplicated or not paid for. */
  readonly faults: ReadonlyArray<string>
}

/**
 * @param printed the entries, as printed by the operator's command
 * @param isErased whether the records of a number are gone
 */
export const balance = async (
  client: Client,
  printed: unknown,
  phones: Phones,
  acknowledged: ReadonlyArray<Acknowledged>,
  isErased: (number: string) => boolean = () => false
): Promise<Books> => {
  const records = await recordsOf(client)
  const payments = paymentsOf(records, printed)
  const faults: Array<string> = []
  const rows = CHANNELS.map((channel) => {
    const own = Map.groupBy(
      records.filter((record) => record.channel === channel),
      ({ number }) => number
    )
    const told = acknowledged.filter((each) => each.channel === channel).map(({ number }) => number)
    const row = { records: 0, arrived: 0, charged: 0, open: 0, cost: 0, lost: 0, doubled: 0, unpaid: 0 }
    const fault = (kind: "lost" | "doubled" | "unpaid", number: string, why: string): void => {
      row[kind]++
      faults.push(`${channel} to ${masked(number)}: ${why}`)
    }
    for (const number of new Set([...phones.numbers, ...own.keys(), ...told])) {
      if (isErased(number)) continue
      const paid = (own.get(number) ?? []).map(({ id }) => payments.get(id) ?? free)
      const arrived = phones.at(number).filter((arrival) => arrival.channel === channel).length
      const charged = paid.filter(({ isCharged }) => isCharged).length
      const open = paid.filter(({ isOpen }) => isOpen).length
      row.records += paid.length
      row.arrived += arrived
      row.charged += charged
      row.open += open
      row.cost += paid.reduce((sum, { cost }) => sum + cost, 0)
      if (arrived > paid.length) fault("doubled", number, `${arrived} arrived for ${paid.length} records`)
      else if (arrived > charged + open) fault("unpaid", number, `${arrived} arrived and ${charged} were charged`)
      else if (arrived < charged) fault("lost", number, `${charged} were charged and ${arrived} arrived`)
    }
    for (const number of told) {
      const hasArrived = phones.at(number).some((arrival) => arrival.channel === channel)
      if (!hasArrived) fault("lost", number, "was acknowledged and did not arrive")
    }
    return { channel, acknowledged: told.length, ...row }
  })
  return { rows, faults }
}

const free: Paid = { isCharged: false, isOpen: false, cost: 0 }

/** The payment for each record. A chat message without entries was paid for by its probe, which no list contains. */
const paymentsOf = (records: ReadonlyArray<Record>, printed: unknown): ReadonlyMap<string, Paid> => {
  const { entries } = Schema.decodeUnknownSync(Entries)(printed)
  const money = Map.groupBy(entries, ({ delivery }) => delivery)
  const payments = new Map([...money].map(([delivery, entries]) => [delivery ?? "", paidBy(entries)]))
  const listed = new Set(records.map(({ id }) => id))
  const probes = [...payments].filter(([id, { isCharged }]) => isCharged && !listed.has(id)).map(([, paid]) => paid)
  for (const { channel, id } of records) {
    const probe = channel === "chatgw" && !payments.has(id) ? probes.pop() : undefined
    if (probe !== undefined) payments.set(id, probe)
  }
  return payments
}

const paidBy = (entries: (typeof Entries.Type)["entries"]): Paid => {
  const kinds = new Set(entries.map(({ kind }) => kind))
  const isCharged = kinds.has("settle")
  return {
    isCharged,
    isOpen: kinds.has("hold") && !isCharged && !kinds.has("release"),
    cost: isCharged && !kinds.has("refund") ? (entries[0]?.amount ?? 0) : 0
  }
}

const recordsOf = async ({ bizchat, call, chatgw, sms }: Client): Promise<ReadonlyArray<Record>> => {
  const page = { rows_per_page: 100, sort_direction: "ASC", sort_by: "created_at" } as const
  const records: Array<Record> = []
  for await (const { to, uuid } of sms.list(page)) records.push({ id: uuid, channel: "sms", number: to })
  for await (const { to, uuid } of chatgw.list(page)) records.push({ id: uuid, channel: "chatgw", number: to })
  for await (const { to, uuid } of bizchat.list(page)) records.push({ id: uuid, channel: "bizchat", number: to })
  for await (const { callee, uuid } of call.list({ ...page, sort_by: "start_stamp" }))
    records.push({ id: uuid, channel: "call", number: callee })
  return records
}

/** A number with most of its digits masked, still recognizable to people. */
const masked = (number: string): string => `${number.slice(0, 5)}…${number.slice(-3)}`
