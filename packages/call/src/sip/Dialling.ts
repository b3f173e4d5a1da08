/**
 * From the order of a call to the first ringing: which trunks are tried, in which order and for how long.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Dialled } from "../CallGateway.ts"
import type { Call, Step } from "./Call.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { again, invite, inviteText } from "./Invite.ts"
import { Leg } from "./Leg.ts"
import type { Response } from "./Message.ts"
import * as Status from "./Status.ts"
import type { Stack } from "./Transactions.ts"
import type { Target } from "./Hop.ts"
import type { Trunk } from "./Trunk.ts"

export interface Network {
  readonly stack: Stack
  /** In order of preference. */
  readonly trunks: ReadonlyArray<Trunk>
  /** Milliseconds that a trunk may say nothing while there is another one. */
  readonly silence: number
  /** Milliseconds that a call may wait for its turn. */
  readonly patience: number
}

export type BeforeInvite = (dialog: string) => Effect.Effect<void, StoreError>

type Failed = Extract<Dialled, { readonly _tag: "Failed" }>

/** Tries the trunks until the phone rings, or the call has failed. */
export const dial = Effect.fnUntraced(function* (
  network: Network,
  call: Call,
  beforeInvite: BeforeInvite
): Effect.fn.Return<Dialled, StoreError> {
  const left = new Set(network.trunks)
  let last: Failed | null = null
  for (;;) {
    const trunk = yield* next(network, left)
    if (trunk === null) return last ?? failed(Status.noTrunk(), "NETWORK_OUT_OF_ORDER", null)
    if (trunk === "Throttled") return failed(Status.tooManyCalls(), "SWITCH_CONGESTION", null)
    left.delete(trunk)
    if (call.left <= 0) return last ?? failed(Status.notReached(), "PROGRESS_TIMEOUT", null)
    if (trunk.targets.length === 0) yield* trunk.resolve
    const { targets } = trunk
    for (const [index, target] of targets.entries()) {
      const isLast = index === targets.length - 1 && ![...left].some(isUsable(network))
      const outcome = yield* attempt(network, call, trunk, target, isLast, beforeInvite)
      if (!outcome.again) return outcome.dialled
      last = outcome.dialled
    }
  }
})

const isUsable =
  ({ stack }: Network) =>
  ({ health }: Trunk): boolean =>
    health.isUsable(stack.timers.now())

/** The first trunk that can take the call now, or the one that can soonest; waits for its turn there. */
const next = Effect.fnUntraced(function* (network: Network, left: ReadonlySet<Trunk>) {
  const now = network.stack.timers.now()
  const usable = [...left].filter(isUsable(network))
  const [first] = usable
  if (first === undefined) return null
  const waits = usable.map((trunk) => trunk.pace.wait(now))
  const least = Math.min(...waits)
  if (least > network.patience) return "Throttled"
  const trunk = usable[waits.indexOf(least)] ?? first
  trunk.pace.take(now)
  trunk.health.used(now)
  if (least > 0) yield* Effect.sleep(least)
  return trunk
})

type Outcome =
  | { readonly again: false; readonly dialled: Dialled }
  /** Another trunk may do better. */
  | { readonly again: true; readonly dialled: Failed }

const final = (dialled: Dialled): Outcome => ({ again: false, dialled })

/** Tries one place of one trunk, with credentials when it asks for them. */
const attempt = Effect.fnUntraced(function* (
  network: Network,
  call: Call,
  trunk: Trunk,
  target: Target,
  isLast: boolean,
  beforeInvite: BeforeInvite
): Effect.fn.Return<Outcome, StoreError> {
  const { caller, callee } = call.order
  const answered = new Set<string>()
  const silence = isLast ? null : network.silence
  for (let words = invite(trunk.options, target, trunk.local, caller, callee); ; words = again(words)) {
    yield* beforeInvite(call.dialogWith(trunk.name, words))
    const credentials = trunk.credentials.lines("INVITE", words.uri)
    const leg = new Leg(network.stack, trunk, words, credentials, call)
    const text = inviteText(words, trunk.options, caller, trunk.seen, credentials)
    const step = yield* Effect.callback<Step>((resume) =>
      call.place(leg, text, silence, (step) => resume(Effect.succeed(step)))
    )
    const isAsked = step._tag === "Rejected" && [401, 407].includes(step.response.status)
    if (isAsked && trunk.credentials.challenged(step.response, answered)) continue
    return yield* judge(network, trunk, target, leg, step)
  }
})

const judge = Effect.fnUntraced(function* (
  { stack }: Network,
  trunk: Trunk,
  target: Target,
  leg: Leg,
  step: Step
): Effect.fn.Return<Outcome> {
  switch (step._tag) {
    case "Ringing":
      return final(step)
    case "HungUp":
      return final(failed(Status.notReached(), "ORIGINATOR_CANCEL", null))
    case "Rejected":
      return yield* rejected(stack, trunk, leg, step.response)
    case "Late":
      if (leg.isHeard) return final(failed(Status.notReached(), "PROGRESS_TIMEOUT", null))
      break
    default:
  }
  trunk.demote(target)
  yield* trunk.failed(step._tag === "Unreachable" ? step.reason : "it does not answer an INVITE")
  const dialled = failed(Status.noTrunk(), "RECOVERY_ON_TIMER_EXPIRE", null)
  return step._tag === "Late" ? final(dialled) : { again: true, dialled }
})

const rejected = Effect.fnUntraced(function* (
  { timers }: Stack,
  trunk: Trunk,
  leg: Leg,
  response: Response
): Effect.fn.Return<Outcome> {
  const { status, headers } = response
  const dialled: Failed = {
    _tag: "Failed",
    failure: Status.failureOf(status, leg.isHeard),
    cause: Status.causeOf(response)
  }
  if (Status.isAccountTrouble(status)) {
    yield* Effect.logError("a SIP trunk refuses our account or caller id", { trunk: trunk.name, status })
  }
  if (!Status.isTrunkTrouble(status, leg.isHeard)) {
    trunk.heard(response)
    return final(dialled)
  }
  const seconds = HeaderValue.retryAfter(headers.first("retry-after"))
  if (seconds !== null) trunk.health.rest(timers.now(), seconds)
  yield* trunk.failed(`it answers an INVITE with ${status}`)
  return { again: true, dialled }
})

const failed = (failure: Failed["failure"], hangupCause: string, sipStatus: number | null): Failed => ({
  _tag: "Failed",
  failure,
  cause: { hangupCause, sipStatus, q850: null }
})
