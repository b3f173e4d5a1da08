/**
 * Counters: one call of a function, which answers the buckets that it has decided on.
 */
import { type Bucket, counted } from "@watchword/store/Counters"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import type { Connections } from "./Connections.ts"
import { json } from "./Rows.ts"

type Buckets = ReadonlyArray<readonly [key: string, until: number, amount: number]>

export const make = ({ ask }: Connections, s: string): Pick<Service, "count"> => ({
  count: (counters) =>
    Effect.map(
      ask<[found: readonly [now: number, buckets: Buckets]]>(`SELECT ${s}.count($1)`, [
        json(
          counters.map(({ amount, key, limit, slice, window }) => ({ key, lasts: window, slice, amount, most: limit }))
        )
      ]),
      ([row]) => {
        if (row === undefined) throw new Error("a function did not answer")
        const [[now, buckets]] = row
        return counted(counters, bucketsIn(buckets), now)
      }
    )
})

const bucketsIn =
  (rows: Buckets) =>
  (key: string): ReadonlyArray<Bucket> =>
    rows.filter(([each]) => each === key).map(([, until, amount]) => ({ until, amount }))
