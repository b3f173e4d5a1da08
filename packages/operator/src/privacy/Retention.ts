/**
 * The sweep that keeps the periods of an installation: it deletes old records, and phones of the sandbox and entries of
 * the operators' log that are as old, and takes texts out of records before. Refused requests go after a week.
 *
 * It runs in every process, in steps of a few hundred records, between which sends have their turn. Steps may be
 * repeated, and two processes may take them at once. It waits for records in progress, and for records of a channel
 * that only another process has.
 */
import { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { DeliveryId } from "@watchword/schemas/Ids"
import { keepJob } from "@watchword/send/pipeline"
import { Settings } from "@watchword/store/Settings"
import { state } from "@watchword/store/Setting"
import { redacted } from "@watchword/store/step"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as OldPhones from "./OldPhones.ts"
import * as Personal from "./Personal.ts"
import * as Periods from "./Periods.ts"

/** What one pass has changed. */
export interface Pass {
  /** Records that were deleted. */
  readonly records: number
  /** Records whose texts were taken out. */
  readonly texts: number
}

export interface Service {
  /** One pass. Safe to run at any time and in several processes at once. */
  readonly run: Effect.Effect<Pass, StoreError>
}

export class Retention extends Context.Service<Retention, Service>()("watchword/Retention") {}

/** How many records one step takes, and how many steps of a kind one pass takes. */
const BATCH = 250
const STEPS = 200

/** How long refused requests are kept, and how many of them at most. */
const REFUSED_DAYS = 7
const REFUSED = 1_000_000

/** How many refused requests one step deletes. */
const REFUSED_BATCH = 1_000

const DAY = 24 * 60 * 60 * 1000

/** The last record at which the sweep of texts has looked. */
const progress = state("retention-texts-until", DeliveryId)

const make: Effect.Effect<Service, never, ChannelRegistry | Settings | Store | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const settings = yield* Settings
  const personal = Personal.make(yield* ChannelRegistry)

  const deleteRecords = Effect.fnUntraced(function* (before: number) {
    let deleted = 0
    for (let step = 0; step < STEPS; step++) {
      const count = yield* store.purge({ before, limit: BATCH })
      deleted += count
      if (count < BATCH) break
    }
    if (deleted > 0) yield* store.reclaim("some")
    return deleted
  })

  const takeTexts = Effect.fnUntraced(function* (before: number, now: number) {
    let taken = 0
    for (let step = 0; step < STEPS; step++) {
      const after = yield* progress.read(store, null)
      const page = yield* store.deliveriesBefore({ before, after, limit: BATCH })
      const waiting = page.findIndex((delivery) => !personal.knows(delivery) || personal.isUnderWay(delivery, now))
      const ended = waiting === -1 ? page : page.slice(0, waiting)
      const last = ended.at(-1)
      if (last === undefined) break
      const redactions = ended.flatMap((delivery) => {
        const redaction = personal.redactionOf(delivery, "texts")
        return redacted(delivery, redaction) === delivery ? [] : [redaction]
      })
      if (redactions.length > 0) taken += yield* store.redact(redactions)
      yield* progress.write(store, null, last.id)
      if (page.length < BATCH || waiting !== -1) break
    }
    return taken
  })

  let restLookedAt = Number.NEGATIVE_INFINITY

  /**
   * What there is little of, and so no more than once a day: phones, for which all accounts are looked at, and the
   * operators' log.
   */
  const removeRest = Effect.fnUntraced(function* (before: number, now: number) {
    if (Math.abs(now - restLookedAt) < DAY) return
    yield* Effect.provideService(OldPhones.remove(before), Store, store)
    for (let step = 0; step < STEPS; step++) {
      if ((yield* store.pruneLogEntries({ before, limit: BATCH })) < BATCH) break
    }
    restLookedAt = now
  })

  const pruneRefused = Effect.fnUntraced(function* (before: number) {
    for (let step = 0; step < STEPS; step++) {
      const deleted = yield* store.pruneRefused({ before, most: REFUSED, limit: REFUSED_BATCH })
      if (deleted < REFUSED_BATCH) break
    }
  })

  const run = Effect.gen(function* () {
    const { records, texts } = yield* Effect.provideService(Periods.get, Settings, settings)
    const now = yield* Clock.currentTimeMillis
    yield* pruneRefused(now - Math.min(records ?? REFUSED_DAYS, REFUSED_DAYS) * DAY)
    const pass: Pass = {
      records: records === null ? 0 : yield* deleteRecords(now - records * DAY),
      texts: texts === null ? 0 : yield* takeTexts(now - texts * DAY, now)
    }
    if (records !== null) yield* removeRest(now - records * DAY, now)
    if (pass.records + pass.texts > 0) yield* Effect.logInfo("deleted data older than the retention period", pass)
    return pass
  })

  yield* keepJob("retention", run)
  return Retention.of({ run })
})

/** Sweeps as long as it lives. */
export const layer: Layer.Layer<Retention, never, ChannelRegistry | Settings | Store> = Layer.effect(Retention, make)
