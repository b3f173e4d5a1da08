/**
 * The steps of a send, as the plain batch takes them and as the step engine decides them.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import * as Decide from "@watchword/store/step"
import type { Delivery } from "@watchword/store/Delivery"
import type { Before, Claim, Close, Closed, Open, Opened, Report, Reported } from "@watchword/store/Store"
import { type Partitions, heldUntilCode, modeCode, phaseCode } from "@watchword/store/sql"
import type { Making, Step } from "./Batches.ts"
import { type BeforeRow, type Row, beforeOf, decoder, json, writable } from "./Rows.ts"
import { Watched } from "./Watched.ts"

interface Kind<K extends "open" | "close" | "report", A> extends Step {
  readonly kind: K
  /** The step as a row of the batch, without what is null. */
  readonly fields: () => Fields
  /** What the step names, so that accounts can be locked before anything is read. */
  readonly about: {
    readonly account?: string
    readonly delivery?: string | null
    readonly part?: { readonly channel: number; readonly refs: ReadonlyArray<string> }
  }
  /** Reads the answer of the batch and passes it on. */
  readonly answer: (answer: A) => void
  readonly engine: () => Engine
}

/** A step for the engine. */
export interface Engine {
  readonly lookup: Decide.Lookup
  /** Decides the step. The answer is passed on once the changes are committed. */
  readonly decide: (snapshot: Decide.Snapshot) => { readonly changes: Decide.Changes; readonly answer: () => void }
}

export type Send = Kind<"open", OpenedRow> | Kind<"close", ClosedRow> | Kind<"report", ReportedRow>

export type Fields = Readonly<Record<string, unknown>>

export type OpenedRow = readonly [tag: 0 | 3, available: MicroEuros]
export type ClosedRow = readonly [tag: 0 | 1, available: MicroEuros, record: Row, before: BeforeRow | null]
export type ReportedRow = readonly [tag: 0 | 1, record: Row, before: BeforeRow | null]

export interface Sends {
  readonly open: (request: Open) => Making<Send, Opened>
  readonly close: (request: Close) => Making<Send, Closed>
  readonly report: (request: Report) => Making<Send, Reported>
}

export const make = (partitions: Partitions): Sends => {
  const { codeOf } = partitions
  const decode = decoder(partitions)
  const watched = new Watched()
  /** Passes an answer on, and keeps the record in it with the refs that the step brought. */
  const keeping =
    <A extends Opened | Closed | Reported>(pass: (answer: A) => void, refs?: ReadonlyArray<string>) =>
    (answer: A): void => {
      if ("delivery" in answer) watched.keep(answer.delivery, refs)
      pass(answer)
    }
  const partOf = ({ channel, refs }: Decide.PartReport["target"]) => ({ channel: codeOf(channel), refs })

  return {
    open: (request) => {
      const { at, claims, close, owner, watch } = request
      const watchedOpen = watched.open(request)
      const { delivery } = watchedOpen ?? Decide.begun(request)
      const { account, channel, details, dueAt, from, id, mode, parts, phase, price, reference, status, to } = delivery
      const tenant = `${account} ${mode} `
      return (pass) => {
        const answer = keeping(pass, close?.refs)
        return {
          kind: "open",
          about: { account },
          keys: [`open ${id}`, ...claims.map(({ key }) => tenant + key), ...refKeys(close?.refs ?? [])],
          fields: () => ({
            id,
            account,
            mode: modeCode(mode),
            channel: codeOf(channel),
            recipient: to,
            sender: from,
            status: status.name,
            rank: status.rank,
            price,
            parts,
            reference: reference ?? undefined,
            details,
            claims: claims.length === 0 ? undefined : claims.map(encodeClaim),
            owner,
            at,
            phase: phaseCode(phase),
            refs: close && unique(close.refs),
            due_at: dueAt ?? undefined,
            low: watch?.balanceLow?.threshold,
            watch: delivery.watch ?? undefined,
            events: watchedOpen?.events
          }),
          answer: ([tag, available]) =>
            answer(tag === 0 ? { _tag: "Opened", delivery, available } : { _tag: "Insufficient", available }),
          engine: () => engineOf(Decide.lookupOfOpen, Decide.open, request, answer)
        }
      }
    },

    close: (request) => {
      const { at, details, id, outcome, refs, status } = request
      return (pass) => {
        const answer = keeping(pass, refs)
        return {
          kind: "close",
          about: { delivery: id },
          keys: [`close ${id}`, ...refKeys(refs)],
          fields: () => ({
            id,
            outcome: phaseCode(outcome),
            status: status.name,
            rank: status.rank,
            refs: unique(refs),
            details,
            at,
            ...watched.close(request)
          }),
          answer: ([tag, available, row, before]) =>
            answer({ _tag: tag === 0 ? "Closed" : "Unchanged", ...changeOf(decode(row), before), available }),
          engine: () => engineOf(Decide.lookupOfClose, Decide.close, request, answer)
        }
      }
    },

    report: (request) => {
      const { at, details, dueAt, everyPart, refund, status, target, when } = request
      return (pass) => {
        const answer = keeping(pass)
        return {
          kind: "report",
          about: target._tag === "Delivery" ? { delivery: target.id } : { part: partOf(target) },
          keys: [],
          fields: () => ({
            ...(target._tag === "Delivery"
              ? { id: target.id, due: dueAt === undefined ? undefined : [dueAt] }
              : {
                  ...partOf(target),
                  recipient: target.message.to ?? undefined,
                  reference: target.message.reference ?? undefined
                }),
            status: status?.name,
            rank: status?.rank,
            conditions: Object.keys(when).length === 0 ? undefined : when,
            details,
            every_part: everyPart,
            refund,
            at,
            ...watched.report(request)
          }),
          answer: ([tag, row, before]) =>
            answer({ _tag: tag === 0 ? "Moved" : "Unchanged", ...changeOf(decode(row), before) }),
          engine: () => engineOf(Decide.lookupOfReport, Decide.report, request, answer)
        }
      }
    }
  }
}

const changeOf = (
  delivery: Delivery,
  before: BeforeRow | null
): { readonly before: Before; readonly delivery: Delivery } => ({
  before: before === null ? delivery : beforeOf(before),
  delivery
})

const encodeClaim = ({ expiresAt, fingerprint, heldUntil, key }: Claim) => [
  key,
  fingerprint,
  heldUntilCode(heldUntil),
  expiresAt
]

/** Refs as the database keeps them, each once. */
const unique = (refs: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(refs.map(writable))]

// A ref is named by one step of a call.
const refKeys = (refs: ReadonlyArray<string>): ReadonlyArray<string> => refs.map((ref) => `ref ${ref}`)

const engineOf = <Request, Answer>(
  lookup: (request: Request) => Decide.Lookup,
  decide: (snapshot: Decide.Snapshot, request: Request) => Decide.Decision<Answer>,
  given: Request,
  pass: (answer: Answer) => void
): Engine => {
  const request = stored(given)
  return {
    lookup: lookup(request),
    decide: (snapshot) => {
      const { answer, changes } = decide(snapshot, request)
      return { changes, answer: () => pass(answer) }
    }
  }
}

/** A request with its texts as the database keeps them, so that they equal those it answers. */
const stored = <A>(request: A): A => JSON.parse(json(request))
