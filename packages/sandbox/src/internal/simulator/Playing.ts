/**
 * How sends of sandbox keys are played: sends that the number refuses before a gateway is asked, and the most sends of
 * an account in flight.
 */
import { TooManyRequests } from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { REASONS, insufficient, isLimit, limitOf, refusalOf } from "@watchword/send/pipeline"
import type { Admit, Request, Simulator } from "@watchword/send/Send"
import type { Verdict } from "@watchword/send/SendGuard"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Load from "./Load.ts"
import { scenarioOf } from "./Outcomes.ts"

/** How many sandbox sends an account may have under way, unless its rules say so; one more is answered 429. */
export const SandboxLimit = Context.Reference<number>("@watchword/sandbox/SandboxLimit", {
  defaultValue: () => 10_000
})

/** Transforms each request before it is played; null for nothing. */
export const Around = Context.Reference<((request: Request) => Request) | null>("@watchword/sandbox/Around", {
  defaultValue: () => null
})

type Playing = Pick<NonNullable<typeof Simulator.Service>, "isSold" | "send" | "verdict">

export const make: Effect.Effect<Playing> = Effect.gen(function* () {
  const limit = yield* SandboxLimit
  const around = yield* Around
  const load = Load.make()

  const send: Playing["send"] = (request, sending) =>
    Clock.clockWith((clock) => {
      const { lasts = 1000, principal, to } = request
      const { id } = principal.account
      if (scenarioOf(to) === "insufficient-balance") return Effect.fail(insufficient())
      let isUnderWay = false
      const admit: Admit = ({ bounds }, now) => {
        isUnderWay = load.begin(id, bounds?.["sandbox_under_way"] ?? limit, now)
        return isUnderWay ? null : tooMany()
      }
      return Effect.onExit(sending(around === null ? request : around(request), admit), () => {
        if (isUnderWay) load.end(id, clock.currentTimeMillisUnsafe() + lasts)
        return Effect.void
      })
    })

  return { send, isSold: (to) => scenarioOf(to) !== "unsold", verdict }
})

/** The verdict on a number that plays a refusal of the guard. */
const verdict = (to: E164): Verdict | null => {
  switch (scenarioOf(to)) {
    case "limited":
      return refusing(limitOf("number"))
    case "blocked":
      return refusing("prefix_blocked")
    default:
      return null
  }
}

const refusing = (reason: string): Verdict => ({
  _tag: "Refused",
  failure: refusalOf(reason, isLimit(reason) ? { retryAfter: 30, remaining: { [reason]: 0 } } : {}),
  details: { [REASONS]: reason }
})

const tooMany = () =>
  new TooManyRequests({
    message: "Too many sandbox sends of this account are under way.",
    reason: "too_many_sandbox_sends",
    retryAfter: 1
  })
