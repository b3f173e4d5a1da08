/**
 * The steps of a send, as the plain batch takes them and as the step engine decides them.
 */
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Changes } from "@watchword/store/step/Changes"
import * as Lookup from "@watchword/store/step/Lookup"
import type { Snapshot } from "@watchword/store/step/Snapshot"
import * as Decide from "@watchword/store/step/Step"
import type { Close, Closed, Open, Opened, Report, Reported } from "@watchword/store/Store"
import * as Transitions from "@watchword/store/Transitions"
import { heldUntilCode, phaseCode } from "@watchword/store-sql/Codes"
import { type Partitions, modeCode } from "@watchword/store-sql/Partitions"
import type { Making, Step } from "./Batches.ts"
import { type Row, decoder, json } from "./Rows.ts"

interface Kind<K extends "open" | "close" | "report", A> extends Step {
  readonly kind: K
  /** The step as a row of the batch; null where the step engine makes events of it. */
  readonly fields: Fields | null
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
  readonly lookup: Lookup.Lookup
  /** Decides the step. The answer is passed on once the changes are committed. */
  readonly decide: (snapshot: Snapshot) => { readonly changes: Changes; readonly answer: () => void }
}

export type Send = Kind<"open", OpenedRow> | Kind<"close", ClosedRow> | Kind<"report", ReportedRow>

export type Fields = Readonly<Record<string, unknown>>

export type OpenedRow = readonly [tag: 0 | 3, available: MicroEuros]
export type ClosedRow = readonly [tag: 0 | 1, available: MicroEuros, record: Row]
export type ReportedRow = readonly [tag: 0 | 1, record: Row]

export interface Sends {
  readonly open: (request: Open) => Making<Send, Opened>
  readonly close: (request: Close) => Making<Send, Closed>
  readonly report: (request: Report) => Making<Send, Reported>
}

export const make = (partitions: Partitions): Sends => {
  const { codeOf } = partitions
  const decode = decoder(partitions)

  return {
    open: (request) => {
      const { at, claims, close, owner, watch } = request
      const { delivery } = Transitions.begun(request)
      const { account, channel, details, dueAt, from, id, mode, parts, phase, price, reference, status, to } = delivery
      const tenant = `${account} ${mode} `
      return (answer) => ({
        kind: "open",
        about: { account },
        keys: [`open ${id}`, ...claims.map(({ key }) => tenant + key), ...refKeys(close?.refs ?? [])],
        fields:
          watch !== undefined
            ? null
            : {
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
                reference,
                details,
                claims:
                  claims.length === 0
                    ? null
                    : claims.map((claim) => [
                        claim.key,
                        claim.fingerprint,
                        heldUntilCode(claim.heldUntil),
                        claim.expiresAt
                      ]),
                owner,
                at,
                phase: phaseCode(phase),
                refs: close?.refs ?? null,
                due_at: dueAt
              },
        answer: ([tag, available]) =>
          answer(tag === 0 ? { _tag: "Opened", delivery, available } : { _tag: "Insufficient", available }),
        engine: () => engineOf(Lookup.ofOpen, Decide.open, request, answer)
      })
    },

    close: (request) => {
      const { at, details, id, outcome, refs, status } = request
      return (answer) => ({
        kind: "close",
        about: { delivery: id },
        keys: [`close ${id}`, ...refKeys(refs)],
        fields: { id, outcome: phaseCode(outcome), status: status.name, rank: status.rank, refs, details, at },
        answer: ([tag, available, row]) =>
          answer({ _tag: tag === 0 ? "Closed" : "Unchanged", delivery: decode(row), available }),
        engine: () => engineOf(Lookup.ofClose, Decide.close, request, answer)
      })
    },

    report: (request) => {
      const { at, details, dueAt, everyPart, refund, status, target, when } = request
      const part =
        target._tag === "Part"
          ? { channel: codeOf(target.channel), refs: target.refs, ...target.message }
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
          status: status?.name,
          rank: status?.rank,
          conditions: Object.keys(when).length === 0 ? null : when,
          details,
          every_part: everyPart,
          refund,
          due: id === null || dueAt === undefined ? null : [dueAt],
          at
        },
        answer: ([tag, row]) => answer({ _tag: tag === 0 ? "Moved" : "Unchanged", delivery: decode(row) }),
        engine: () => engineOf(Lookup.ofReport, Decide.report, request, answer)
      })
    }
  }
}

// A ref is named by one step of a call.
const refKeys = (refs: ReadonlyArray<string>): ReadonlyArray<string> => refs.map((ref) => `ref ${ref}`)

const engineOf = <Request, Answer>(
  lookup: (request: Request) => Lookup.Lookup,
  decide: (snapshot: Snapshot, request: Request) => Decide.Decision<Answer>,
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
