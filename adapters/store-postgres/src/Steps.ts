/**
 * Runs send steps in the database: one transaction for all waiting steps, which looks up their facts, has the step
 * engine decide them one after the other, and applies all changes; see sql/engine.ts.
 */
import type { Partitions } from "@watchword/store/sql"
import * as Decide from "@watchword/store/step"
import type { Close, Closed, Open, Opened, Report, Reported } from "@watchword/store/Store"
import type { Making } from "./Batches.ts"
import { encodeChanges } from "./Changes.ts"
import type { Connections } from "./Connections.ts"
import { type Facts, encodeLookup } from "./Facts.ts"
import { json, stored } from "./Rows.ts"
import { WorkingSet } from "./WorkingSet.ts"

export interface Step {
  /**
   * The order of decisions depends on the kind: reports come last, so that no report is both kept unmatched and
   * replayed.
   */
  readonly kind: "open" | "close" | "report"
  /** Cheaper opens are decided first; 0 for other steps. */
  readonly price: number
  readonly lookup: Decide.Lookup
  /** Decides the step. The answer is passed on once the changes are committed. */
  readonly decide: (snapshot: Decide.Snapshot) => { readonly changes: Decide.Changes; readonly answer: () => void }
}

export const open = (request: Open): Making<Step, Opened> =>
  making("open", request.delivery.price, Decide.lookupOfOpen, Decide.open, stored(request))

export const close = (request: Close): Making<Step, Closed> =>
  making("close", 0, Decide.lookupOfClose, Decide.close, followed(request))

export const report = (request: Report): Making<Step, Reported> =>
  making("report", 0, Decide.lookupOfReport, Decide.report, followed(request))

const making =
  <Request, Answer>(
    kind: Step["kind"],
    price: number,
    lookup: (request: Request) => Decide.Lookup,
    decide: (snapshot: Decide.Snapshot, request: Request) => Decide.Decision<Answer>,
    request: Request
  ): Making<Step, Answer> =>
  (pass) => ({
    kind,
    price,
    lookup: lookup(request),
    decide: (snapshot) => {
      const { answer, changes } = decide(snapshot, request)
      return { changes, answer: () => pass(answer) }
    }
  })

/** A request that another record may follow, with its texts as the database stores them. */
const followed = <A extends Close | Report>(request: A): A => {
  const { follow } = request
  if (follow === undefined) return stored(request)
  return {
    ...stored(request),
    follow: (part, whole, at) => {
      const report = follow(part, whole, at)
      return report && stored(report)
    }
  }
}

/** The function that `Batches` calls to run steps. */
export const run =
  (schema: string, { transaction }: Connections, partitions: Partitions) =>
  (steps: ReadonlyArray<Step>, lockTimeout: number): Promise<ReadonlyArray<() => void>> => {
    const lookUp = {
      text: `SELECT set_config('lock_timeout', $1, true), ${schema}.look_up($2)`,
      values: [String(lockTimeout), json(steps.map(({ lookup }) => encodeLookup(partitions, lookup)))]
    }
    return transaction<[setting: string, facts: Facts], ReadonlyArray<() => void>>(lookUp, ([row]) => {
      if (row === undefined) throw new Error("a function did not answer")
      const [, facts] = row
      const work = new WorkingSet(facts, partitions)
      const answers = new Map<Step, () => void>()
      for (const step of steps.toSorted(inOrder)) {
        const { answer, changes } = step.decide(work.snapshot)
        work.apply(changes)
        answers.set(step, answer)
      }
      const changes = encodeChanges(partitions, work.written(), facts)
      return {
        last: changes === null ? null : { text: `SELECT ${schema}.apply($1)`, values: [json(changes)] },
        answer: steps.map((step) => answers.get(step) ?? (() => {}))
      }
    })
  }

const ORDER = { open: 0, close: 1, report: 2 }

const inOrder = (a: Step, b: Step): number => ORDER[a.kind] - ORDER[b.kind] || a.price - b.price
