/**
 * The throughput of an endpoint, where an operator has set it: how many requests are under way at once, and how many
 * events one of them carries.
 *
 * It is a setting of the installation, even for accounts' endpoints: each look of the dispatcher needs all throughputs,
 * and reads no account's settings.
 */
import * as Setting from "@watchword/store/Setting"
import * as Schema from "effect/Schema"

/** Requests of an endpoint under way at once, where none are set. */
export const CONCURRENCY = 8

/** How many endpoints of an installation may have a throughput of their own. */
const MOST = 100

const number = (most: number) =>
  Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most }, { message: `must be from 1 to ${most}` }))
  )

export const Throughput = Schema.Struct({
  /** Requests under way at once, of all processes; with batches, of each process. */
  concurrency: number(64),
  /** The most events of a request, whose body is a list then; one event and no list where it is not set. */
  batch: number(100)
})
export type Throughput = typeof Throughput.Type

/** By the ids of endpoints. */
export const throughputs = Setting.family({
  prefix: "webhook-throughput:",
  title: "throughput of a webhook",
  most: MOST,
  schema: Throughput
})
