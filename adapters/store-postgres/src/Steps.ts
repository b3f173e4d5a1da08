/**
 * Steps of sends in the database: plain ones as one call of a function for all of them, see sql/batch.ts; the others by
 * the step engine, in one transaction that looks their facts up, decides them one after the other, and applies all
 * changes.
 */
import type { Partitions } from "@watchword/store/sql"
import { encodeChanges } from "./Changes.ts"
import type { Connections } from "./Connections.ts"
import { type Facts, encodeLookup } from "./Facts.ts"
import { json, writable } from "./Rows.ts"
import type { ClosedRow, Fields, OpenedRow, ReportedRow, Send } from "./Sends.ts"
import { WorkingSet } from "./WorkingSet.ts"

/** The function of `Batches` that does the plain ones of some steps. */
export const plain =
  (schema: string, { step }: Connections) =>
  async (sends: ReadonlyArray<Send>, lockTimeout: number): Promise<ReadonlyArray<(() => void) | null>> => {
    const rows: { readonly [K in Send["kind"]]: Array<Fields> } = { open: [], close: [], report: [] }
    const accounts = new Set<string>()
    const ids: Array<string> = []
    const channels: Array<number> = []
    const refs: Array<string> = []
    for (const [i, { about, fields, kind }] of sends.entries()) {
      rows[kind].push({ i, ...fields() })
      if (about.account !== undefined) accounts.add(about.account)
      if (about.delivery) ids.push(about.delivery)
      for (const ref of about.part?.refs ?? []) {
        channels.push(about.part?.channel ?? 0)
        refs.push(writable(ref))
      }
    }
    const lists = [rows.open, rows.close, rows.report].map((list) => (list.length === 0 ? null : json(list)))
    const [row] = await step<[setting: string, answers: Answers]>(
      `SELECT set_config('lock_timeout', $1, true), ${schema}.steps($2, $3, $4, $5, $6, $7, $8)`,
      [String(lockTimeout), ...lists, [...accounts], ids, channels, refs]
    )
    if (row === undefined) throw new Error("a function did not answer")
    return answersOf(sends, row[1])
  }

/** The place of a step among those of a call, and its answer. */
type Answered<A> = ReadonlyArray<readonly [i: number, answer: A]> | null
type Answers = readonly [Answered<OpenedRow>, Answered<ClosedRow>, Answered<ReportedRow>]

const answersOf = (sends: ReadonlyArray<Send>, [opened, closed, reported]: Answers): Array<(() => void) | null> => {
  const answers = sends.map((): (() => void) | null => null)
  for (const [i, row] of opened ?? []) {
    const send = sends[i]
    if (send?.kind === "open") answers[i] = () => send.answer(row)
  }
  for (const [i, row] of closed ?? []) {
    const send = sends[i]
    if (send?.kind === "close") answers[i] = () => send.answer(row)
  }
  for (const [i, row] of reported ?? []) {
    const send = sends[i]
    if (send?.kind === "report") answers[i] = () => send.answer(row)
  }
  return answers
}

/** The function of `Batches` that does all others, with the step engine. */
export const rest =
  (schema: string, { transaction }: Connections, partitions: Partitions) =>
  (sends: ReadonlyArray<Send>, lockTimeout: number): Promise<ReadonlyArray<() => void>> => {
    const steps = sends.map((send) => send.engine())
    const lookups = json(steps.map(({ lookup }) => encodeLookup(partitions, lookup)))
    return transaction(async (query) => {
      const [row] = await query<[setting: string, facts: Facts]>(
        `SELECT set_config('lock_timeout', $1, true), ${schema}.look_up($2)`,
        [String(lockTimeout), lookups]
      )
      if (row === undefined) throw new Error("a function did not answer")
      const [, facts] = row
      const work = new WorkingSet(facts, partitions)
      const answers = sends.map((): (() => void) => () => {})
      for (const kind of ["open", "close", "report"] as const) {
        for (const [i, step] of steps.entries()) {
          if (sends[i]?.kind !== kind) continue
          const { answer, changes } = step.decide(work.snapshot)
          work.apply(changes)
          answers[i] = answer
        }
      }
      const changes = encodeChanges(partitions, work.written(), facts.refs)
      if (changes !== null) await query(`SELECT ${schema}.apply($1)`, [json(changes)])
      return answers
    })
  }
