/**
 * The three steps of a send, as the functions of the database take them: each by itself, or many at once.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import { phaseCode } from "@watchword/store-sql/Codes"
import { channelCode, modeCode } from "@watchword/store-sql/Partitions"
import { timeOf } from "@watchword/store-sql/Window"
import type { Delivery } from "@watchword/store/Delivery"
import type { Close, Closed, Open, Opened, Report, Reported } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import type { Making, Step } from "./Batches.ts"
import type { Connections, Values } from "./Connections.ts"
import { type Row, decode, json, writable } from "./Rows.ts"

/** A step by itself, and as a row among others. */
interface Kind<K extends "open" | "close" | "report", A> extends Step {
  readonly kind: K
  /** The arguments of the function that does it alone, in their order; `details` and other objects as they are. */
  readonly fields: Fields
  /** What the step names, so that accounts can be locked before anything is read. */
  readonly about: {
    readonly account?: string
    readonly delivery?: string | null
    readonly part?: { readonly channel: number; readonly refs: ReadonlyArray<string> }
  }
  readonly answer: (answer: A) => void
}

export type Send = Kind<"open", OpenedRow> | Kind<"close", ClosedRow> | Kind<"report", ReportedRow>

type Fields = Readonly<Record<string, string | number | boolean | null | object>>

export const open = (request: Open): Making<Send, Opened> => {
  const { at, claims, close, owner } = request
  const { delivery } = Transitions.begun(request)
  const { account, channel, details, from, id, mode, parts, phase, price, reference, status, to } = delivery
  const tenant = `${account} ${mode} `
  return (answer) => ({
    kind: "open",
    about: { account },
    keys: [`open ${id}`, ...claims.map(({ key }) => tenant + key), ...refKeys(close?.refs ?? [])],
    fields: {
      id,
      account,
      mode: modeCode(mode),
      channel: channelCode(channel),
      recipient: to,
      sender: from,
      status: status.name,
      rank: status.rank,
      price,
      parts,
      reference,
      details,
      claims:
        claims.length === 0
          ? null
          : claims.map((claim) => [claim.key, claim.fingerprint, claim.retryAfterRejection, claim.expiresAt]),
      owner,
      by_status: timeOf(channel) === "statusAt",
      at,
      phase: phaseCode(phase),
      refs: close?.refs ?? null
    },
    answer: (row) => answer(decodeOpened(request, delivery, row))
  })
}

type OpenedRow =
  | readonly [tag: 0, available: MicroEuros]
  | readonly [tag: 1, available: MicroEuros, record: Row]
  | readonly [tag: 2, claim: number, same: boolean, record: Row]
  | readonly [tag: 3, available: MicroEuros]
  | readonly [tag: 4]

const decodeOpened = (request: Open, delivery: Delivery, row: OpenedRow): Opened => {
  switch (row[0]) {
    case 0:
      return { _tag: "Opened", delivery, available: row[1] }
    case 1:
      return { _tag: "Opened", delivery: decode(row[2]), available: row[1] }
    case 2: {
      const claim = request.claims[row[1]]
      if (claim === undefined) throw new Error("the database names a claim that was not asked for")
      return { _tag: "Claimed", claim, sameFingerprint: row[2], by: decode(row[3]) }
    }
    case 3:
      return { _tag: "Insufficient", available: row[1] }
    case 4:
      return { _tag: "NoAccount" }
  }
}

export const close =
  ({ at, details, id, outcome, refs, status }: Close): Making<Send, Closed> =>
  (answer) => ({
    kind: "close",
    about: { delivery: id },
    keys: [`close ${id}`, ...refKeys(refs)],
    fields: { id, outcome: phaseCode(outcome), status: status.name, rank: status.rank, refs, details, at },
    answer: (row) => answer(decodeClosed(row))
  })

type ClosedRow = readonly [tag: 0 | 1, available: MicroEuros, record: Row] | readonly [tag: 4]

const decodeClosed = (row: ClosedRow): Closed =>
  row[0] === 4
    ? { _tag: "Missing" }
    : { _tag: row[0] === 0 ? "Closed" : "Unchanged", delivery: decode(row[2]), available: row[1] }

export const report = (request: Report): Making<Send, Reported> => {
  const { at, details, everyPart, refund, status, target, when } = request
  const part =
    target._tag === "Part"
      ? { channel: channelCode(target.channel), refs: target.refs, ...target.message }
      : { channel: 0, refs: [], to: null, reference: null }
  const id = target._tag === "Delivery" ? target.id : null
  return (answer) => ({
    kind: "report",
    about: id === null ? { part } : { delivery: id },
    keys: [],
    fields: {
      id,
      channel: part.channel,
      refs: part.refs,
      recipient: part.to,
      reference: part.reference,
      status: status?.name ?? null,
      rank: status?.rank ?? null,
      details,
      conditions: when,
      every_part: everyPart,
      refund,
      at
    },
    answer: (row) => answer(decodeReported(row))
  })
}

type ReportedRow = readonly [tag: 0 | 1, record: Row] | readonly [tag: 2] | readonly [tag: 4]

const decodeReported = (row: ReportedRow): Reported => {
  switch (row[0]) {
    case 0:
    case 1:
      return { _tag: row[0] === 0 ? "Moved" : "Unchanged", delivery: decode(row[1]) }
    case 2:
      return { _tag: "Unmatched" }
    case 4:
      return { _tag: "Missing" }
  }
}

/** A ref is brought by one step of a call. */
const refKeys = (refs: ReadonlyArray<string>): ReadonlyArray<string> => refs.map((ref) => `ref ${ref}`)

/** Does steps, as `Batches` wants it: one by its own function, several by one for all. */
export const runOn =
  (schema: string, { step }: Connections) =>
  async (sends: ReadonlyArray<Send>, patience: number): Promise<ReadonlyArray<(() => void) | null>> => {
    const ask = async <A>({ text, values }: Call): Promise<A> => {
      const [row] = await step<[setting: string, answer: A]>(
        `SELECT set_config('lock_timeout', '${patience}', true), ${text}`,
        values
      )
      if (row === undefined) throw new Error("a function did not answer")
      return row[1]
    }
    const [send] = sends
    if (send !== undefined && sends.length === 1) return [await alone(schema, send, ask)]
    return answersOf(sends, await ask<Answers>(together(schema, sends)))
  }

/** An expression that calls a function. */
interface Call {
  readonly text: string
  readonly values: Values
}

const alone = async (schema: string, send: Send, ask: <A>(call: Call) => Promise<A>): Promise<() => void> => {
  const values = Object.values(send.fields).map(argument)
  const text = `${schema}.${send.kind}_one(${values.map((_, index) => `$${index + 1}`).join(", ")})`
  switch (send.kind) {
    case "open":
      return answering(send, await ask<OpenedRow>({ text, values }))
    case "close":
      return answering(send, await ask<ClosedRow>({ text, values }))
    case "report":
      return answering(send, await ask<ReportedRow>({ text, values }))
  }
}

const answering =
  <A>({ answer }: { readonly answer: (row: A) => void }, row: A): (() => void) =>
  () =>
    answer(row)

// Lists of refs are arrays to the database, every other object is JSON.
const argument = (value: Fields[string]): unknown => {
  if (typeof value === "string") return writable(value)
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.map(writable)
  return typeof value === "object" && value !== null ? json(value) : value
}

const together = (schema: string, sends: ReadonlyArray<Send>): Call => {
  const rows: { readonly [K in Send["kind"]]: Array<Fields> } = { open: [], close: [], report: [] }
  const accounts = new Set<string>()
  const ids: Array<string> = []
  const channels: Array<number> = []
  const refs: Array<string> = []
  for (const [i, { about, fields, kind }] of sends.entries()) {
    rows[kind].push({ i, ...fields })
    if (about.account !== undefined) accounts.add(about.account)
    if (about.delivery) ids.push(about.delivery)
    for (const ref of about.part?.refs ?? []) {
      channels.push(about.part?.channel ?? 0)
      refs.push(writable(ref))
    }
  }
  const written = (list: ReadonlyArray<Fields>) => (list.length === 0 ? null : json(list))
  return {
    text: `${schema}.steps($1, $2, $3, $4, $5, $6, $7)`,
    values: [written(rows.open), written(rows.close), written(rows.report), [...accounts], ids, channels, refs]
  }
}

/** The place of a step among those of a call, and its answer. Of two answers to one step the last counts. */
type Answered<A> = ReadonlyArray<readonly [i: number, answer: A]> | null
type Answers = readonly [Answered<OpenedRow>, Answered<ClosedRow>, Answered<ReportedRow | readonly [tag: 9]>]

const answersOf = (sends: ReadonlyArray<Send>, [opened, closed, reported]: Answers): Array<(() => void) | null> => {
  // A close without an answer is about nothing.
  const answers = sends.map((send) => (send.kind === "close" ? answering(send, MISSING) : null))
  for (const [i, row] of opened ?? []) {
    const send = sends[i]
    if (send?.kind === "open") answers[i] = answering(send, row)
  }
  for (const [i, row] of closed ?? []) {
    const send = sends[i]
    if (send?.kind === "close") answers[i] = answering(send, row)
  }
  for (const [i, row] of reported ?? []) {
    const send = sends[i]
    if (send?.kind === "report") answers[i] = row[0] === 9 ? null : answering(send, row)
  }
  return answers
}

const MISSING: ClosedRow = [4]
