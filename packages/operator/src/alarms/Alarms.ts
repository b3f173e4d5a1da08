/**
 * Alarms: the problems of the overview, sent to the operators' own receivers.
 *
 * Every process runs the job, and a counter of the store lets one of them look each minute. The ids of alarms are
 * stored before anything is sent, and taken notices after it: a process that dies in between repeats a notice under
 * its id.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { nextUlid } from "@watchword/schemas/Ids"
import type { Described } from "@watchword/send/channel/Features"
import { keepJob } from "@watchword/send/pipeline"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { overviewAt } from "../insight/overview/Overview.ts"
import type { Destination } from "./Destinations.ts"
import type { Notice } from "./Notice.ts"
import { type Rules, dueTo, followed, openAlarms, takenBy } from "./OpenAlarms.ts"
import { Alarms, type Service } from "./Service.ts"

export interface AlarmSettings extends Rules {
  readonly destinations: ReadonlyArray<Destination>
}

/** How long a look holds off others, in milliseconds: less than the job's period. */
const TURN = 50_000

const turn = { key: "alarms", window: TURN, slice: 1, amount: 1, limit: 1 } as const

type Needs = ChannelRegistry | Described | Settings | Store

export const make = Effect.fnUntraced(function* ({
  destinations,
  ...rules
}: AlarmSettings): Effect.fn.Return<Service, never, Needs | Scope> {
  const store = yield* Store
  const context = yield* Effect.context<Needs>()

  const notify = Effect.fnUntraced(function* (now: number) {
    const { problems } = yield* overviewAt(now)
    const before = (yield* openAlarms.read(store, null)) ?? []
    let alarms = followed(before, problems, now)
    if (before.length + alarms.length === 0) return
    yield* openAlarms.write(store, null, alarms)
    const sent = yield* Effect.forEach(
      destinations,
      (destination) => toldTo(destination, dueTo(destination.name, alarms, rules, now)),
      { concurrency: "unbounded" }
    )
    if (sent.every((notices) => notices.length === 0)) return
    for (const [place, notices] of sent.entries()) {
      alarms = takenBy(destinations[place]?.name ?? "", alarms, notices, now)
    }
    yield* openAlarms.write(store, null, alarms)
  })

  const run = Effect.gen(function* () {
    const { counted } = yield* store.count([turn])
    if (counted) yield* notify(yield* Clock.currentTimeMillis)
  }).pipe(Effect.provideContext(context))

  const test = Effect.gen(function* () {
    const notice = testAt(yield* Clock.currentTimeMillis)
    return yield* Effect.forEach(
      destinations,
      ({ name, send }) =>
        Effect.map(send([notice]), ({ answer, taken }) => ({ destination: name, taken: taken.length > 0, answer })),
      { concurrency: "unbounded" }
    )
  }).pipe(Effect.provideContext(context))

  yield* keepJob("alarms", run)
  return { run, test }
})

/** The notices that a destination took. */
const toldTo = Effect.fnUntraced(function* ({ name, send }: Destination, notices: ReadonlyArray<Notice>) {
  if (notices.length === 0) return []
  const { answer, taken } = yield* send(notices)
  if (taken.length < notices.length) {
    yield* Effect.logWarning("an alarm was not taken; it is sent again in a minute", { destination: name, answer })
  }
  return taken
})

const testAt = (now: number): Notice => ({
  type: "alarm.test",
  id: `alm_${nextUlid(now)}`,
  count: 1,
  kind: "test",
  about: "",
  severity: "warn",
  text: "This is a test of Watchword's alarms.",
  link: "#/",
  command: null,
  since: now,
  ended: null
})

export const layer = (settings: AlarmSettings): Layer.Layer<never, never, Needs> => Layer.effect(Alarms, make(settings))
