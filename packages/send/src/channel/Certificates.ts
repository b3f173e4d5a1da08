/**
 * The ends of certificates that carriers and trunks have shown to the processes of the installation. Each process with
 * such connections writes them down once a minute, for operators, whose command is another process.
 */
import { nextProcessId } from "@watchword/schemas/Ids"
import * as Setting from "@watchword/store/Setting"
import { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as Job from "../pipeline/Job.ts"
import type { GatewayHealth } from "../gateway/GatewayHealth.ts"
import { Features, healthOf } from "./Features.ts"

/** A connection whose peer has a certificate. */
const Certificate = Schema.Struct({ connection: Schema.String, ends: Schema.Finite })
export type Certificate = typeof Certificate.Type

const Seen = Schema.Struct({ at: Schema.Finite, certificates: Schema.Array(Certificate) })

/** Processes that may write at a time. */
const MOST = 10_000

const processes = Setting.family({
  prefix: "certificates-of:",
  title: "process with certificates",
  most: MOST,
  schema: Seen
})

/** Milliseconds after which a process that has written nothing has ended, and another takes its row away. */
const FRESH = 180_000

/** Writes down, until the scope closes, the certificates of connections that have some. */
export const keep = Effect.fnUntraced(function* (
  health: Effect.Effect<ReadonlyArray<GatewayHealth>>
): Effect.fn.Return<void, never, Scope | Settings | Store> {
  const settings = yield* Settings
  const own = processes.of(nextProcessId(yield* Clock.currentTimeMillis))
  let hasWritten = false

  const write = Effect.gen(function* () {
    const certificates = (yield* health).flatMap(({ certificateEnds: ends, name }) =>
      ends === undefined ? [] : [{ connection: name, ends }]
    )
    // A service without such connections writes nothing.
    if (certificates.length === 0 && !hasWritten) return
    const at = yield* Clock.currentTimeMillis
    hasWritten = true
    yield* settings.note(null, own, { at, certificates })
    for (const [id, seen] of yield* settings.all(null, processes)) {
      if (at - seen.at > FRESH) yield* settings.note(null, processes.of(id), null)
    }
  })
  yield* Effect.addFinalizer(() => (hasWritten ? Effect.ignore(settings.note(null, own, null)) : Effect.void))
  // Connections that have just been opened have shown theirs within seconds, and a problem outlasts a restart.
  let isNew = true
  const soon = Effect.suspend(() => {
    const wait = isNew ? Effect.sleep("5 seconds") : Effect.never
    isNew = false
    return wait
  })
  yield* Job.keep("certificates", write, soon)
})

/** Writes the certificates of a service's connections down until it ends. */
export const layer: Layer.Layer<never, never, Features | Settings | Store> = Layer.effectDiscard(
  Effect.flatMap(Features, (features) =>
    keep(Effect.map(Effect.forEach(features, healthOf), (connections) => connections.flat()))
  )
)

/** The certificates of running processes; where several have one connection, the earliest end. */
export const seen: Effect.Effect<ReadonlyArray<Certificate>, StoreError, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  const ends = new Map<string, number>()
  for (const { at, certificates } of (yield* settings.all(null, processes)).values()) {
    if (now - at >= FRESH) continue
    for (const { connection, ends: end } of certificates) {
      ends.set(connection, Math.min(end, ends.get(connection) ?? end))
    }
  }
  return [...ends].map(([connection, ends]) => ({ connection, ends }))
})
