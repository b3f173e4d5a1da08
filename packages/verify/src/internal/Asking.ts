/**
 * The guard's verdict on one request of a client, such as a start: asked once, however often the request decides anew, and
 * taken back where nothing is sent.
 */
import { zero } from "@watchword/schemas/Money"
import { type Asked, SendGuard, type Verdict, allOf, passed, playedLimit, settled } from "@watchword/send/SendGuard"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isUnsent } from "./plan/Plan.ts"
import type { Stored } from "./VerificationRecord.ts"

/** A verification after a request, and the number of the send that the request has opened; null where it has opened none. */
export interface Answered {
  readonly stored: Stored
  readonly opened: number | null
}

type About = Pick<Asked, "principal" | "to" | "client">

/** Answers a request, which asks the guard once it knows that it would send something. */
export type Asking = <E>(
  about: () => About,
  request: (ask: Effect.Effect<Verdict>) => Effect.Effect<Answered, E | StoreError>
) => Effect.Effect<Stored, E | StoreError>

export const make: Effect.Effect<Asking> = Effect.gen(function* () {
  const guard = yield* SendGuard

  const verdictOn = ({ client, principal, to }: About): Effect.Effect<Verdict> => {
    const played = playedLimit(principal, to)
    if (played !== null || guard === null) return Effect.succeed(played ?? passed)
    const asked = { client, principal, to, requests: 1, price: zero, use: "verifications" } as const
    return Effect.flatMap(Clock.currentTimeMillis, (now) => settled(guard.check(asked, now)))
  }

  return (about, request) =>
    Effect.suspend(() => {
      let verdict: Verdict | null = null
      const ask = Effect.suspend(() =>
        verdict === null
          ? Effect.tap(verdictOn(about()), (given) => Effect.sync(() => (verdict = given)))
          : Effect.succeed(verdict)
      )
      const unsent = Effect.suspend(() =>
        guard === null || verdict?._tag !== "Passed" ? Effect.void : guard.unsent(allOf(verdict.counted))
      )
      return request(ask).pipe(
        // Whether something was sent is not known where the store fails.
        Effect.tapError((error) => (error instanceof StoreError ? Effect.void : unsent)),
        Effect.tap((answered) => (hasSent(answered) ? Effect.void : unsent)),
        Effect.map(({ stored }) => stored)
      )
    })
})

/** Whether the send that a request has opened, or one in its place, may have left. */
const hasSent = ({ opened, stored }: Answered): boolean =>
  opened !== null && !stored.plan.attempts.slice(opened).every(isUnsent)
