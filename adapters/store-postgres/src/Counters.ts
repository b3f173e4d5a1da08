/**
 * Counters. Requests waiting at the same time go to the server as one call, which decides them one after the other and
 * returns the buckets that it started with; the answers are computed from these buckets. Subtractions are batched, too.
 */
import { type Added, type Bucket, type Counted, type Counter, counted } from "@watchword/store/Counters"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Batches from "./Batches.ts"
import type { Connections } from "./Connections.ts"
import { json } from "./Rows.ts"

interface Request {
  readonly counters: ReadonlyArray<Counter>
  readonly answer: (answer: Counted) => void
}

interface Return {
  readonly added: ReadonlyArray<Added>
  readonly answer: (answer: void) => void
}

type Found = readonly [now: number, buckets: ReadonlyArray<readonly [key: string, until: number, amount: number]>]

/** Requests still waiting when the scope closes are counted. */
export const make = (
  { query }: Connections,
  s: string,
  bounds: { readonly limit: number; readonly waiting: number }
): Effect.Effect<Pick<Service, "count" | "uncount">, never, Scope> =>
  Effect.gen(function* () {
    const count = async (requests: ReadonlyArray<Request>, lockTimeout: number) => {
      const [row] = await query<[setting: string, found: Found]>(
        `SELECT set_config('lock_timeout', $1, true), ${s}.count_all($2)`,
        [String(lockTimeout), json(requests.map(({ counters }) => counters.map(encode)))]
      )
      if (row === undefined) throw new Error("a function did not answer")
      const decide = decider(row[1])
      return requests.map(({ answer, counters }) => {
        const decided = decide(counters)
        return () => answer(decided)
      })
    }
    const uncount = async (returns: ReadonlyArray<Return>, lockTimeout: number) => {
      await query(`SELECT set_config('lock_timeout', $1, true), ${s}.uncount($2)`, [
        String(lockTimeout),
        json(returns.flatMap(({ added }) => added))
      ])
      return returns.map(({ answer }) => answer)
    }
    const counting = Batches.make<Request>({ ...bounds, run: count })
    const returning = Batches.make<Return>({ ...bounds, run: uncount })
    yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([counting.drain(), returning.drain()])))
    return {
      count: (counters) => counting.submit((answer) => ({ counters, answer })),
      uncount: (added) => returning.submit<void>((answer) => ({ added, answer }))
    }
  })

const encode = ({ amount, key, limit, slice, window }: Counter) => ({ key, lasts: window, slice, amount, most: limit })

/** Decides requests one after the other, as the database function did. */
const decider = ([now, rows]: Found): ((counters: ReadonlyArray<Counter>) => Counted) => {
  const buckets = new Map<string, Map<number, Bucket>>()
  const add = (key: string, until: number, amount: number): void => {
    const those = buckets.get(key) ?? new Map<number, Bucket>()
    buckets.set(key, those.set(until, { until, amount: (those.get(until)?.amount ?? 0) + amount }))
  }
  for (const row of rows) add(...row)
  return (counters) => {
    const answer = counted(counters, (key) => [...(buckets.get(key)?.values() ?? [])], now)
    for (const { amount, key, until } of answer.added) add(key, until, amount)
    return answer
  }
}
