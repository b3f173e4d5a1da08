/**
 * The guard's verdict on one request of a client, such as a start: asked once, however often the request decides again,
 * and taken back where nothing is sent.
 */
import { zero } from "@watchword/schemas/Money"
import type { Admission } from "@watchword/send/pipeline"
import { type Asked, type Verdict, allOf } from "@watchword/send/SendGuard"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isUnsent } from "./plan/Plan.ts"
import { PRODUCT, type Stored } from "./VerificationRecord.ts"

/**
 * A verification after a request, and the number of the send that the request has opened; null if it has opened none.
 */
export interface Answered {
  readonly stored: Stored
  readonly opened: number | null
  /** Whether the request has begun a verification whose user acts first: its start counts as its first send. */
  readonly isBegun?: boolean
}

type About = Pick<Asked, "principal" | "to" | "client" | "limitKeys" | "ownCode">

/** Answers a request, which asks the guard once it knows that it would send something. */
export type GuardOnce = <E>(
  about: () => About,
  request: (ask: Effect.Effect<Verdict>) => Effect.Effect<Answered, E | StoreError>
) => Effect.Effect<Stored, E | StoreError>

export const make = (admission: Admission): GuardOnce => {
  const verdictOn = (about: About): Effect.Effect<Verdict> => {
    const asked = { ...about, channel: PRODUCT, requests: 1, price: zero, use: "verifications" } as const
    return Effect.flatMap(Clock.currentTimeMillis, (now) => admission.check(asked, now))
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
        verdict?._tag === "Passed" ? admission.unsent(allOf(verdict.counted)) : Effect.void
      )
      return request(ask).pipe(
        // Whether something was sent is not known where the store fails.
        Effect.tapError((error) => (error instanceof StoreError ? Effect.void : unsent)),
        Effect.tap((answered) => (hasSent(answered) ? Effect.void : unsent)),
        Effect.map(({ stored }) => stored)
      )
    })
}

/** Whether the send that a request has opened, or one in its place, may have left, or is counted in advance. */
const hasSent = ({ isBegun = false, opened, stored: { plan } }: Answered): boolean =>
  isBegun || (opened !== null && !plan.attempts.slice(opened).every(isUnsent))
