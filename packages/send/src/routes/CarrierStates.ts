/**
 * States of carriers, which each process writes down every few seconds for operators, whose command is another process.
 */
import { nextProcessId } from "@watchword/schemas/Ids"
import * as Setting from "@watchword/store/Setting"
import { Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import type { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { BackgroundAllowed } from "../pipeline/Background.ts"
import * as Job from "../pipeline/Job.ts"
import type { Figures } from "./Figures.ts"
import type { Routing } from "./Routing.ts"

const Count = Schema.Int
const State = Schema.Struct({
  carrier: Schema.String,
  up: Schema.Boolean,
  rests: Schema.Boolean,
  window: Schema.NullOr(Schema.Struct({ used: Count, size: Count })),
  cost: Schema.NullOr(Count),
  refusal: Schema.NullOr(Schema.Struct({ at: Schema.Finite, message: Schema.String })),
  sent: Count,
  approved: Count,
  // A process of a release before has neither.
  rate: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  unrecognized: Schema.optionalKey(
    Schema.Array(Schema.Struct({ kind: Schema.String, word: Schema.String, count: Count, at: Schema.Finite }))
  )
})

/** A carrier as a process sees it, with its messages of the last hour and how many of their codes were entered. */
export type State = typeof State.Type

const Seen = Schema.Struct({ at: Schema.Finite, channel: Schema.String, states: Schema.Array(State) })

/** The states that processes wrote in the last minute. */
export type Seen = typeof Seen.Type

/** Processes that may write at a time, of all channels. */
const MOST = 10_000

const processes = Setting.family({ prefix: "carriers-of:", title: "process with carriers", most: MOST, schema: Seen })

/**
 * Milliseconds after which a process that has written nothing has ended, and after which another takes its row away.
 */
const FRESH = 30_000
const KEPT = 600_000

/** How many passes after the start follow each other within a second. */
const EARLY = 10

/** Writes the states of a channel's carriers until the scope closes. */
export const keep = Effect.fnUntraced(function* (
  channel: string,
  routing: Routing,
  figures: Figures
): Effect.fn.Return<void, never, Scope | Settings | Store> {
  const settings = yield* Settings
  const process = nextProcessId(yield* Clock.currentTimeMillis)
  const own = processes.of(process)

  const write = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const states = Effect.map(routing.carriers, (carriers) =>
      carriers.map((state): State => {
        const { approved, sent } = figures.ofCarrier(state.carrier, at)
        return { ...state, sent, approved }
      })
    )
    yield* settings.note(null, own, { at, channel, states: yield* states })
    for (const [id, seen] of yield* settings.all(null, processes)) {
      if (at - seen.at > KEPT) yield* settings.note(null, processes.of(id), null)
    }
  })

  yield* Effect.addFinalizer(() => Effect.ignore(settings.note(null, own, null)))
  if (!(yield* BackgroundAllowed)) return
  yield* Effect.ignore(write)
  // Connections that have just been opened are up within seconds, and an operator looks for them.
  let early = EARLY
  const soon = Effect.suspend(() => (early-- > 0 ? Effect.sleep("1 second") : Effect.never))
  yield* Job.keep("carriers", write, soon)
})

/** What running processes have written last. */
export const seen: Effect.Effect<ReadonlyArray<Seen>, StoreError, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  return [...(yield* settings.all(null, processes)).values()].filter(({ at }) => now - at < FRESH)
})
