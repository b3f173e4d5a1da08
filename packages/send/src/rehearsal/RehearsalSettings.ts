/**
 * Notes between processes about rehearsals, in settings of the installation: the carriers of a running process, an
 * operator's request, and its outcome.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Setting from "@watchword/store/Setting"
import * as Schema from "effect/Schema"
import { By, Heard } from "./Rehearsal.ts"

const Known = Schema.Struct({
  at: Schema.Finite,
  channel: Schema.String,
  carriers: Schema.Array(Schema.Struct({ name: Schema.String, by: By }))
})

/** The carriers of a process and a channel. */
export const known = Setting.family({
  prefix: "rehearses:",
  title: "process that rehearses",
  most: 10_000,
  schema: Known
})

/** Milliseconds after which a process that has not written again has ended. */
export const FRESH = 30_000

const Asked = Schema.Struct({
  channel: Schema.String,
  carrier: Schema.String,
  to: E164,
  from: Schema.String,
  wait: Schema.Finite,
  /** Milliseconds since the epoch, until which a process may take it. */
  until: Schema.Finite
})
export type Asked = typeof Asked.Type

/** Rehearsals that no process has taken yet. */
export const asked = Setting.family({ prefix: "rehearsal-asked:", title: "rehearsal", most: 100, schema: Asked })

const Seen = Schema.Struct({
  /** When the process has written it, in milliseconds since the epoch. */
  at: Schema.Finite,
  channel: Schema.String,
  carrier: Schema.String,
  /** Masked. */
  number: Schema.String,
  from: Schema.String,
  by: By,
  heard: Schema.Array(Heard),
  hasEnded: Schema.Boolean
})
export type Seen = typeof Seen.Type

/** Rehearsals that were taken, which are kept for a day. */
export const seen = Setting.family({ prefix: "rehearsal-seen:", title: "rehearsal", most: 100, schema: Seen })

const HOUR = 3_600_000
const DAY = 24 * HOUR

export const KEPT = DAY

/** A counter that only one process can count: it takes a rehearsal, or takes it back. */
export const claimOf = (id: string) => ({ key: `rehearsal:${id}`, window: DAY, slice: HOUR, amount: 1, limit: 1 })

/** The rehearsals of a day in the installation. */
export const MOST_A_DAY = 5
export const ofDay = { key: "rehearsals", window: DAY, slice: 600_000, amount: 1, limit: MOST_A_DAY }
