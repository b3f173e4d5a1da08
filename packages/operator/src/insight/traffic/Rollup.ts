/**
 * The traffic roll-up of this process: what its steps have changed, added to the store every ten seconds.
 *
 * A step adds to a row in memory and waits for nothing. A process that dies loses only statistics that were not added
 * yet: `Rebuild.ts` counts it from the records.
 */
import { BackgroundAllowed, type DeliveryChange, DeliveryChanges, isCounted, keepJob } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { Described } from "@watchword/send/channel/Features"
import { type End, PLACE, endOf, lastSendOf, make as makeMeasures } from "./Measures.ts"
import { Rows } from "./Rows.ts"

export interface Service {
  /** Adds to the store what this process has counted. */
  readonly flush: Effect.Effect<void, StoreError>
}

export class Rollup extends Context.Service<Rollup, Service>()("watchword/internal/traffic/Rollup") {}

/** How many rows one step of the store adds. */
const BATCH = 500

/** How many rows, and ends of verifications, wait at most while the store is away. */
const MOST = 20_000

/** Milliseconds between two flushes where services may not work without a request. */
const EVERY = 10_000

const make: Effect.Effect<Service, never, DeliveryChanges | Described | Store | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const changes = yield* DeliveryChanges
  const { formRows, keyOf, measure } = makeMeasures(yield* Described)
  const isBackground = yield* BackgroundAllowed
  const clock = yield* Clock.Clock
  let rows = new Rows()
  let ends: Array<End> = []
  let flushedAt = Number.NEGATIVE_INFINITY

  const amountsOf = (delivery: Delivery) => {
    const key = keyOf(delivery)
    return key === null ? null : rows.amountsOf(key, MOST)
  }

  const count = (delivery: Delivery, sign: 1 | -1): void => {
    const amounts = amountsOf(delivery)
    if (amounts !== null) measure(delivery, sign, amounts)
    for (const { counts, key } of formRows(delivery)) rows.count(key, counts, sign, MOST)
  }

  const hear = ({ before, delivery }: DeliveryChange): Effect.Effect<void> => {
    if (before !== null) count({ ...delivery, ...before }, -1)
    count(delivery, 1)
    const end = before?.status.name === delivery.status.name ? null : endOf(delivery)
    if (end !== null && ends.length < MOST) ends.push(end)
    return isBackground || clock.currentTimeMillisUnsafe() - flushedAt < EVERY ? Effect.void : inRequest
  }

  const findSend = (end: End) => {
    const send = lastSendOf(end)
    return send === null ? Effect.succeedNone : store.find(send)
  }

  const addEnds = Effect.gen(function* () {
    const ended = ends
    ends = []
    const found = yield* Effect.forEach(ended, findSend).pipe(
      Effect.tapError(() => Effect.sync(() => void (ends = [...ended, ...ends])))
    )
    for (const [place, { as }] of ended.entries()) {
      const send = Option.getOrNull(found[place] ?? Option.none())
      const amounts = send === null ? null : amountsOf(send)
      if (amounts !== null) amounts[PLACE[as]] = (amounts[PLACE[as]] ?? 0) + 1
    }
  })

  const addRows = Effect.gen(function* () {
    const all = rows.all()
    rows = new Rows()
    for (let from = 0; from < all.length; from += BATCH) {
      yield* Effect.tapError(store.addTraffic(all.slice(from, from + BATCH)), ({ reason }) =>
        // What may have been added is not added again.
        Effect.sync(() => rows.add(all.slice(reason === "Unknown" ? from + BATCH : from), 1, MOST))
      )
    }
  })

  const flush = Effect.gen(function* () {
    flushedAt = clock.currentTimeMillisUnsafe()
    yield* addEnds
    yield* addRows
  })

  const inRequest = Effect.catchCause(flush, (cause) => Effect.logWarning("traffic could not be added up", cause))

  yield* changes.onChange(isCounted, hear)
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(Effect.interruptible(flush), "5 seconds")))
  yield* keepJob("traffic", Effect.uninterruptible(flush))
  return Rollup.of({ flush })
})

/** Counts as long as it lives. */
export const layer: Layer.Layer<Rollup, never, DeliveryChanges | Described | Store> = Layer.effect(Rollup, make)
