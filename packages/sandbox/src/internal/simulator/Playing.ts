/**
 * How sends of sandbox keys are played: those that the number has refused before a gateway is asked, and as many as an account
 * may have under way.
 */
import { type DeliveryFailure, TooManyRequests } from "@watchword/schemas/Errors"
import { predetermined, rejected } from "@watchword/send/Outcome"
import { REASONS, insufficient, limitOf, refusalOf } from "@watchword/send/pipeline"
import { scenarioOf } from "@watchword/send/sandbox"
import type { Admit, Request, Simulator } from "@watchword/send/Send"
import type { Verdict } from "@watchword/send/SendGuard"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Load from "./Load.ts"

/** How many sandbox sends an account may have under way, unless its rules say so; one more is answered 429. */
export const SandboxLimit = Context.Reference<number>("@watchword/sandbox/SandboxLimit", {
  defaultValue: () => 10_000
})

/** The failure that the next send of the sandbox is to meet, which a development server plays; null for none. */
export const SandboxFault = Context.Reference<(() => DeliveryFailure | null) | null>(
  "@watchword/sandbox/SandboxFault",
  { defaultValue: () => null }
)

/** A send of the sandbox that was refused. */
export interface SandboxRefusal {
  readonly channel: string
  readonly to: string
  readonly failure: DeliveryFailure
  /** Whether it met the failure of {@link SandboxFault}. */
  readonly isPlayed: boolean
}

/** Hears of each of them, as a development server shows them; null for no one. */
export const SandboxRefusals = Context.Reference<((refusal: SandboxRefusal) => void) | null>(
  "@watchword/sandbox/SandboxRefusals",
  { defaultValue: () => null }
)

type Playing = Pick<NonNullable<typeof Simulator.Service>, "send" | "verdict">

export const make: Effect.Effect<Playing> = Effect.gen(function* () {
  const limit = yield* SandboxLimit
  const fault = yield* SandboxFault
  const refusals = yield* SandboxRefusals
  const load = Load.make()

  /** The request with the outcome that a development server plays, whose refusals are heard of. */
  const played = (request: Request): Request => {
    if (fault === null && refusals === null) return request
    const predetermine: Request["predetermine"] = (delivery) => {
      const failure = fault === null ? null : fault()
      const found = failure === null ? (request.predetermine?.(delivery) ?? null) : predetermined(rejected(failure))
      if (refusals === null || found?.outcome._tag !== "Rejected") return found
      const refusal = {
        channel: request.channel,
        to: request.to,
        failure: found.outcome.failure,
        isPlayed: failure !== null
      }
      const heard = Effect.sync(() => refusals(refusal))
      return { ...found, afterwards: Effect.andThen(heard, found.afterwards) }
    }
    return { ...request, predetermine }
  }

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
      return Effect.onExit(sending(played(request), admit), () => {
        if (isUnderWay) load.end(id, clock.currentTimeMillisUnsafe() + lasts)
        return Effect.void
      })
    })

  return { send, verdict: (to) => (scenarioOf(to) === "limited" ? limited() : null) }
})

/** The verdict on a number that plays a guard's limit. */
const limited = (): Verdict => {
  const reason = limitOf("number")
  return {
    _tag: "Refused",
    failure: refusalOf(reason, { retryAfter: 30, remaining: { [reason]: 0 } }),
    details: { [REASONS]: reason }
  }
}

const tooMany = () =>
  new TooManyRequests({
    message: "Too many sandbox sends of this account are under way.",
    reason: "too_many_sandbox_sends",
    retryAfter: 1
  })
