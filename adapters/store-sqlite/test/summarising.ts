/**
 * Stores whose records are summarised in blocks so small that a few of them make a tree.
 */
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../src/Connection.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import type { Shape } from "../src/summaries/Shape.ts"
import * as Summariser from "../src/summaries/Summariser.ts"
import { temporaryFile } from "./fixtures.ts"

/** All is summarised but for the last few records. */
export const tiny: Shape = {
  rows: 3,
  fan: 2,
  few: { inBlock: 2, inAll: 3 },
  spans: { most: 4, joined: 2 },
  most: 3,
  fewest: 3,
  settled: Number.NEGATIVE_INFINITY,
  changes: 4
}

/** For some thousand records. */
export const small: Shape = {
  ...tiny,
  rows: 16,
  fan: 4,
  few: { inBlock: 4, inAll: 16 },
  most: 20,
  fewest: 4,
  changes: 40
}

/** A store, and what does the next pieces of the work on all its drawers, through a connection of its own. */
export const make = Effect.gen(function* () {
  const filename = temporaryFile()
  const db = yield* Connection.open(filename)
  const store = yield* SqliteStore.over(db, 512, { summaries: tiny })
  const other = yield* Connection.open(filename)
  const summariser = Summariser.make(other, tiny)
  const summarise = (steps: number): void => {
    for (const drawer of summariser.drawers()) {
      for (let step = 0; step < steps && summariser.step(drawer, 0); step++);
    }
  }
  return { db, store, summarise }
})

/** The store, all of whose records are summarised before each list. */
export const layer = Layer.effect(
  Store,
  Effect.map(make, ({ store, summarise }) =>
    Store.of({
      ...store,
      list: (listing) =>
        Effect.suspend(() => {
          summarise(Number.POSITIVE_INFINITY)
          return store.list(listing)
        })
    })
  )
)
