/**
 * The lists that are measured, each also as conditions and an order in plain SQL.
 */

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

export type Page = "first" | "middle" | "last"

/** A record that lists ask for. */
export interface Sample {
  readonly id: string
  readonly recipient: string
  readonly at: number
}

/** A list, and the same as conditions and an order in plain SQL. */
export interface Question {
  readonly name: string
  /** Whether it has an index: then it is to cost the same however many records there are. */
  readonly indexed: boolean
  readonly pages: ReadonlyArray<Page>
  readonly body: (sample: Sample) => Readonly<Record<string, unknown>>
  readonly where: (sample: Sample) => string
  readonly order?: string
}

const all: ReadonlyArray<Page> = ["first", "middle", "last"]
const one: ReadonlyArray<Page> = ["first"]

const stamp = (at: number): string => new Date(at).toISOString()
const within = ({ at }: Sample, time: number) => ({ gte: stamp(at), lt: stamp(at + time) })
const listedWithin = ({ at }: Sample, time: number): string => `status_at >= ${at} AND status_at < ${at + time}`

export const questions: ReadonlyArray<Question> = [
  { name: "newest first", indexed: true, pages: all, body: () => ({}), where: () => "true" },
  {
    name: "oldest first",
    indexed: true,
    pages: all,
    body: () => ({ sort_direction: "ASC" }),
    where: () => "true",
    order: "status_at ASC, id ASC"
  },
  {
    name: "id",
    indexed: true,
    pages: one,
    body: ({ id }) => ({ filter: { uuid: id } }),
    where: ({ id }) => `id = '${id}'`
  },
  {
    name: "number",
    indexed: true,
    pages: one,
    body: ({ recipient }) => ({ filter: { to: recipient } }),
    where: ({ recipient }) => `recipient = '${recipient}'`
  },
  {
    name: "number, in a day",
    indexed: true,
    pages: one,
    body: (sample) => ({ filter: { to: sample.recipient, timestamp: within(sample, DAY) } }),
    where: (sample) => `recipient = '${sample.recipient}' AND ${listedWithin(sample, DAY)}`
  },
  {
    name: "number and status",
    indexed: true,
    pages: one,
    body: ({ recipient }) => ({ filter: { to: recipient, status: "delivered" } }),
    where: ({ recipient }) => `recipient = '${recipient}' AND status = 'delivered'`
  },
  {
    name: "number and status, in a week",
    indexed: true,
    pages: one,
    body: (sample) => ({ filter: { to: sample.recipient, status: "delivered", timestamp: within(sample, 7 * DAY) } }),
    where: (sample) => `recipient = '${sample.recipient}' AND status = 'delivered' AND ${listedWithin(sample, 7 * DAY)}`
  },
  {
    name: "status, common",
    indexed: true,
    pages: all,
    body: () => ({ filter: { status: "delivered" } }),
    where: () => "status = 'delivered'"
  },
  {
    name: "status, rare",
    indexed: true,
    pages: all,
    body: () => ({ filter: { status: "sent" } }),
    where: () => "status = 'sent'"
  },
  {
    name: "two statuses",
    indexed: true,
    pages: all,
    body: () => ({ filter: { status: ["undelivered", "failed"] } }),
    where: () => "status IN ('undelivered', 'failed')"
  },
  {
    name: "status, in a week",
    indexed: true,
    pages: all,
    body: (sample) => ({ filter: { status: "delivered", timestamp: within(sample, 7 * DAY) } }),
    where: (sample) => `status = 'delivered' AND ${listedWithin(sample, 7 * DAY)}`
  },
  {
    name: "a day",
    indexed: true,
    pages: all,
    body: (sample) => ({ filter: { timestamp: within(sample, DAY) } }),
    where: (sample) => listedWithin(sample, DAY)
  },
  {
    name: "price, in an hour",
    indexed: false,
    pages: one,
    body: (sample) => ({ filter: { price: { gt: 0.1 }, timestamp: within(sample, HOUR) } }),
    where: (sample) => `price > 100000 AND ${listedWithin(sample, HOUR)}`
  },
  {
    name: "price, in a day",
    indexed: false,
    pages: one,
    body: (sample) => ({ filter: { price: { gt: 0.1 }, timestamp: within(sample, DAY) } }),
    where: (sample) => `price > 100000 AND ${listedWithin(sample, DAY)}`
  },
  {
    name: "a day, sorted by price",
    indexed: false,
    pages: one,
    body: (sample) => ({ sort_by: "price", filter: { timestamp: within(sample, DAY) } }),
    where: (sample) => listedWithin(sample, DAY),
    order: "price DESC, id DESC"
  }
]
