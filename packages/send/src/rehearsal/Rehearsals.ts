/**
 * Rehearsals in a process that serves: it writes down which carriers it has, and runs what operators ask for.
 *
 * One process takes a rehearsal, by a counter that only one can count, and writes that down before anything leaves:
 * after a crash at any line it is not sent again.
 */
import { nextProcessId } from "@watchword/schemas/Ids"
import { masked } from "@watchword/schemas/PhoneNumber"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { BackgroundAllowed } from "../pipeline/Background.ts"
import * as Job from "../pipeline/Job.ts"
import { type Carrier, type Heard, type Rehearsal, withoutNumber } from "./Rehearsal.ts"
import * as Rows from "./RehearsalSettings.ts"

interface Gateway {
  readonly rehearsal?: Rehearsal
  readonly carrier?: string
}

/** Takes the rehearsals of a channel's live gateway until the scope closes. */
export const keep = Effect.fnUntraced(function* (
  channel: string,
  live: Option.Option<Gateway>
): Effect.fn.Return<void, never, Scope | Settings | Store> {
  if (Option.isNone(live) || !(yield* BackgroundAllowed)) return
  const gateway = live.value
  const settings = yield* Settings
  const store = yield* Store
  const scope = yield* Effect.scope
  const own = Rows.known.of(nextProcessId(yield* Clock.currentTimeMillis))
  const carriers = gateway.rehearsal?.carriers ?? Effect.succeed(withoutRehearsal(gateway))
  let written = { at: Number.NEGATIVE_INFINITY, names: "" }

  const write = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const now = yield* carriers
    const names = JSON.stringify(now)
    if (names === written.names && at - written.at < Rows.FRESH / 2) return
    yield* settings.note(null, own, { at, channel, carriers: now })
    written = { at, names }
  })

  const take = Effect.fnUntraced(function* (id: string, asked: Rows.Asked, rehearsal: Rehearsal) {
    const found = (yield* carriers).find(({ name }) => name === asked.carrier)
    if (found === undefined || found.by === null) return
    const { counted } = yield* store.count([Rows.claimOf(id)])
    if (!counted) return
    const at = yield* Clock.currentTimeMillis
    const { carrier, from, to } = asked
    const begun: Rows.Seen = {
      at,
      channel,
      carrier,
      number: masked(to),
      from,
      by: found.by,
      heard: [],
      hasEnded: false
    }
    yield* settings.note(null, Rows.seen.of(id), begun)
    yield* settings.note(null, Rows.asked.of(id), null)
    yield* Effect.forkIn(run(id, asked, begun, rehearsal), scope)
  }, Effect.uninterruptible)

  const run = Effect.fnUntraced(function* (id: string, asked: Rows.Asked, begun: Rows.Seen, rehearsal: Rehearsal) {
    const heard: Array<Heard> = []
    const note = (hasEnded: boolean) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) =>
        settings.note(null, Rows.seen.of(id), { ...begun, at, heard: heard.slice(0, MOST_HEARD), hasEnded })
      )
    const progress = Effect.forever(
      Effect.andThen(Effect.sleep(PROGRESS), Effect.ignore(Effect.suspend(() => note(false))))
    )
    const hear = (each: Heard): void => void heard.push(withoutNumber(each, asked.to))
    yield* Effect.raceFirst(rehearsal.run(asked, hear), progress)
    yield* Effect.retry(note(true), { times: 3 })
  }, logged)

  const pass = Effect.gen(function* () {
    yield* write
    const { rehearsal } = gateway
    if (rehearsal !== undefined) {
      const at = yield* Clock.currentTimeMillis
      for (const [id, asked] of yield* settings.all(null, Rows.asked)) {
        if (asked.channel === channel && at < asked.until) yield* take(id, asked, rehearsal)
      }
    }
    yield* sweep
  })

  const sweep: Effect.Effect<void, StoreError> = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    for (const [id, asked] of yield* settings.all(null, Rows.asked)) {
      if (at - asked.until > Rows.FRESH) yield* settings.note(null, Rows.asked.of(id), null)
    }
    for (const [id, seen] of yield* settings.all(null, Rows.seen)) {
      if (at - seen.at > Rows.KEPT) yield* settings.note(null, Rows.seen.of(id), null)
    }
    for (const [id, known] of yield* settings.all(null, Rows.known)) {
      if (at - known.at > 20 * Rows.FRESH) yield* settings.note(null, Rows.known.of(id), null)
    }
  })

  yield* Effect.addFinalizer(() => Effect.ignore(settings.note(null, own, null)))
  yield* Effect.ignore(write)
  yield* Job.keep("rehearsals", pass)
})

/** The one carrier of a gateway that does not rehearse. */
const withoutRehearsal = ({ carrier }: Gateway): ReadonlyArray<Carrier> =>
  carrier === undefined ? [] : [{ name: carrier, by: null }]

/** How often a process writes down the messages received so far. */
const PROGRESS = "1 second"

/** A carrier may say the same again and again. */
const MOST_HEARD = 100

const logged = Effect.catchCause((cause) => Effect.logWarning("a rehearsal with a carrier ended early", cause))
