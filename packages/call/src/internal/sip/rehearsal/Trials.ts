/**
 * Rehearsals over the trunks of a gateway: one call, by a trunk that live calls leave over, under its calls per second.
 * It rings for a few seconds, and its end reaches no handler of events.
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Carrier, Heard, Rehearsal, Trial } from "@watchword/send/rehearsal"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Call, Dialled, Ended } from "../../../CallGateway.ts"
import type { Response } from "../Message.ts"
import type { Trunk } from "../Trunk.ts"
import * as Raw from "./Raw.ts"

/** How a call of a rehearsal is placed. */
export interface Placing {
  readonly order: Call
  readonly trunks: ReadonlyArray<Trunk>
  readonly heard: (response: Response) => void
  readonly ended: (event: Ended) => void
}

/** Seconds that the phone rings. */
const RINGS = 6

/** Milliseconds that the end of a call may take behind that. */
const LATEST_END = 45_000
/** The same of the answer to a call that was ended before it counted as ringing. */
const LATEST_FINAL = 2_000

const nameOf = ({ options: { carrier, host } }: Trunk): string => carrier ?? host

const isE164 = Schema.is(E164)

export const make = (
  trunks: ReadonlyArray<Trunk>,
  place: (placing: Placing) => Effect.Effect<Dialled>,
  hangup: (order: Call) => void
): Rehearsal => ({
  carriers: Effect.succeed([...new Set(trunks.map(nameOf))].map((name): Carrier => ({ name, by: "sip" }))),
  run: (trial, hear) => run(trial, hear, trunks, place, hangup)
})

const run = Effect.fnUntraced(function* (
  { carrier, from, to, wait }: Trial,
  hear: (heard: Heard) => void,
  trunks: ReadonlyArray<Trunk>,
  place: (placing: Placing) => Effect.Effect<Dialled>,
  hangup: (order: Call) => void
) {
  const clock = yield* Clock.Clock
  const began = clock.currentTimeMillisUnsafe()
  const say = (kind: Heard["kind"], raw: string, read: string, facts: Heard["facts"] = {}): void => {
    const at = clock.currentTimeMillisUnsafe()
    hear({ at, kind, raw, read, facts: { ...facts, took: at - began } })
  }
  if (!isE164(from)) return say("note", "", "the caller must be a phone number in E.164 form: no call was placed")
  const order: Call = { delivery: nextDeliveryId(began), caller: from, callee: to, maxRing: RINGS }
  const over = yield* Deferred.make<Ended>()
  const progress = yield* Deferred.make<void>()
  const final = yield* Deferred.make<void>()
  say("sent", `INVITE ${to}, from ${from}`, `a call that rings for ${RINGS} seconds`)
  // Even if the progress does not count as ringing.
  const rings = Effect.andThen(Deferred.await(progress), Effect.sleep(Math.min(RINGS * 1000, wait)))
  yield* Effect.forkScoped(
    Effect.andThen(
      rings,
      Effect.sync(() => hangup(order))
    )
  )
  const dialled = yield* place({
    order,
    trunks: trunks.filter((trunk) => nameOf(trunk) === carrier),
    heard: (response) => {
      const { headers, status } = response
      const kind = status < 200 ? "ring" : "end"
      const date = headers.first("date") ?? null
      const reason = headers.first("reason") ?? null
      const media = (headers.first("content-type") ?? "") !== ""
      say(kind, Raw.response(response), meaning(status), { status, date, reason, media })
      // Waiting fibers continue at once.
      if (status >= 180 && status < 300) Deferred.doneUnsafe(progress, Effect.void)
      if (status >= 200) Deferred.doneUnsafe(final, Effect.void)
    },
    ended: (event) => Deferred.doneUnsafe(over, Effect.succeed(event))
  })
  if (dialled._tag === "Failed") {
    const { cause, failure, mayHaveRung = false } = dialled
    if (yield* Deferred.isDone(progress)) yield* Effect.timeoutOption(Deferred.await(final), LATEST_FINAL)
    const sent = mayHaveRung ? "; the phone may have shown it" : ""
    return say("note", "", `${failure.message} (${cause.hangupCause})${sent}`, { cause: cause.hangupCause })
  }
  const rang = Math.round(dialled.postDialDelay)
  say("note", "", `counts as ringing after ${rang} ms`, { rang })
  const ended = yield* Effect.timeoutOption(Deferred.await(over), LATEST_END)
  if (ended._tag === "None") return say("note", "", "the end of the call was not heard of")
  const { answeredAt, cause } = ended.value
  const answered = answeredAt === null ? "it was not answered" : "it was answered, and hung up at once"
  say("note", "", `${cause.hangupCause}: ${answered}`, { cause: cause.hangupCause, answered: answeredAt !== null })
}, Effect.scoped)

const meaning = (status: number): string => {
  if (status === 100) return "the trunk has the call"
  if (status === 183) return "progress, often with the network's own ringing tone"
  if (status < 190 && status >= 180) return "the phone rings"
  if (status < 200) return "progress"
  if (status < 300) return "answered"
  return status === 487 ? "ended, as it was asked" : "ended"
}
