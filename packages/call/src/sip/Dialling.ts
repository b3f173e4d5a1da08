/**
 * From the order of a call to the first ringing: which trunks are tried, in which order and for how long.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Dialled, Call as Order } from "../CallGateway.ts"
import type { Call, Step } from "./Call.ts"
import { Draft } from "./Draft.ts"
import * as HeaderValue from "./HeaderValue.ts"
import type { Target } from "./Hop.ts"
import { type Invite, again, invite, inviteText } from "./Invite.ts"
import { Leg } from "./Leg.ts"
import type { Response } from "./Message.ts"
import * as Status from "./Status.ts"
import type { Stack } from "./Transactions.ts"
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
  let left = network.trunks
  let last: Failed | null = null
  for (;;) {
    const turn = next(network, left)
    if (turn === null) return last ?? failed(Status.noTrunk(), "NETWORK_OUT_OF_ORDER", null)
    if (turn === "Throttled") return failed(Status.tooManyCalls(), "SWITCH_CONGESTION", null)
    const { trunk, wait } = turn
    if (wait > 0) yield* Effect.sleep(wait)
    left = left.filter((other) => other !== trunk)
    if (call.left <= 0) return last ?? failed(Status.notReached(), "PROGRESS_TIMEOUT", null)
    if (trunk.targets.length === 0) yield* trunk.resolve
    const { targets } = trunk
    for (const [index, target] of targets.entries()) {
      const isLast = index === targets.length - 1 && !left.some(isUsable(network))
      const silence = isLast ? null : network.silence
      const attempt: Attempt = { network, call, trunk, target, silence, beforeInvite, answered: null }
      const outcome = yield* begun(attempt)
      if (outcome._tag === "Ringing") return outcome
      if (outcome.note !== null) yield* outcome.note
      if (!outcome.again) return outcome.failed
      last = outcome.failed
    }
  }
})

/** The beginning of a call that is placed soon; null while the trunk that it would go to has not been looked up. */
export const draft = (network: Network, { callee, caller }: Pick<Order, "caller" | "callee">): Draft | null => {
  const trunk = soonest(network, network.trunks)?.trunk
  const target = trunk?.targets[0]
  if (trunk === undefined || target === undefined) return null
  return new Draft(trunk, invite(trunk.letterhead, target, caller, callee))
}

const isUsable =
  ({ stack }: Network) =>
  ({ health }: Trunk): boolean =>
    health.isUsable(stack.timers.now())

interface Turn {
  readonly trunk: Trunk
  /** In milliseconds. */
  readonly wait: number
}

/** Takes the next turn, unless it is too far off. */
const next = (network: Network, left: ReadonlyArray<Trunk>): Turn | "Throttled" | null => {
  const turn = soonest(network, left)
  if (turn === null) return null
  if (turn.wait > network.patience) return "Throttled"
  const now = network.stack.timers.now()
  turn.trunk.pace.take(now)
  turn.trunk.health.used(now)
  return turn
}

/** The turn at the first trunk that can take a call now, or at the one that can soonest. */
const soonest = ({ stack }: Network, left: ReadonlyArray<Trunk>): Turn | null => {
  const now = stack.timers.now()
  let turn: Turn | null = null
  for (const trunk of left) {
    if (!trunk.health.isUsable(now)) continue
    const wait = trunk.pace.wait(now)
    if (turn === null || wait < turn.wait) turn = { trunk, wait }
    if (wait === 0) break
  }
  return turn
}

type Outcome =
  | Extract<Dialled, { readonly _tag: "Ringing" }>
  | {
      readonly _tag: "InVain"
      readonly failed: Failed
      /** Whether another trunk may do better. */
      readonly again: boolean
      /** What the log, and the trunk's health, are to know. */
      readonly note: Effect.Effect<void> | null
    }

/** One place of one trunk, and what is to be tried there. */
interface Attempt {
  readonly network: Network
  readonly call: Call
  readonly trunk: Trunk
  readonly target: Target
  /** In milliseconds; null when there is nothing else to try. */
  readonly silence: number | null
  readonly beforeInvite: BeforeInvite
  /** The realms that have been given credentials. */
  readonly answered: Set<string> | null
}

/** Sends the INVITE that was drafted, or another one whose dialog is stored first. */
const begun = (attempt: Attempt): Effect.Effect<Outcome, StoreError> => {
  const { call, target, trunk } = attempt
  const drafted = call.drafted(trunk, target)
  if (drafted !== null) return invited(attempt, drafted.invite)
  return stored(attempt, invite(trunk.letterhead, target, call.order.caller, call.order.callee))
}

/** Sends an INVITE when its dialog is stored. */
const stored = (attempt: Attempt, words: Invite): Effect.Effect<Outcome, StoreError> =>
  Effect.andThen(attempt.beforeInvite(attempt.call.dialogWith(attempt.trunk.name, words)), invited(attempt, words))

/** Sends an INVITE, and another one with credentials when it is asked for them. */
const invited = (attempt: Attempt, words: Invite): Effect.Effect<Outcome, StoreError> => {
  const { call, network, silence, trunk } = attempt
  const placed = Effect.callback<Outcome | Again>((resume) => {
    const credentials = trunk.credentials.lines("INVITE", words.uri)
    const leg = new Leg(network.stack, trunk, words, credentials, call)
    const text = inviteText(words, trunk.letterhead, call.order.caller, credentials)
    call.place(leg, text, silence, (step) => resume(Effect.succeed(judge(attempt, leg, step))))
  })
  return Effect.flatMap(placed, (outcome) =>
    outcome._tag === "Again" ? stored(outcome.attempt, again(words)) : Effect.succeed(outcome)
  )
}

/** With the credentials that were asked for. */
interface Again {
  readonly _tag: "Again"
  readonly attempt: Attempt
}

const judge = (attempt: Attempt, leg: Leg, step: Step): Outcome | Again => {
  const { network, target, trunk } = attempt
  switch (step._tag) {
    case "Ringing":
      return step
    case "HungUp":
      return inVain(failed(Status.notReached(), "ORIGINATOR_CANCEL", null))
    case "Rejected": {
      const answered = attempt.answered ?? new Set()
      const isAsked = [401, 407].includes(step.response.status)
      if (isAsked && trunk.credentials.challenged(step.response, answered)) {
        return { _tag: "Again", attempt: { ...attempt, answered } }
      }
      return rejected(network.stack, trunk, leg, step.response)
    }
    case "Late":
      if (leg.isHeard) return inVain(failed(Status.notReached(), "PROGRESS_TIMEOUT", null))
      break
    default:
  }
  trunk.demote(target)
  return {
    _tag: "InVain",
    failed: failed(Status.noTrunk(), "RECOVERY_ON_TIMER_EXPIRE", null),
    again: step._tag !== "Late",
    note: trunk.failed(step._tag === "Unreachable" ? step.reason : "it does not answer an INVITE")
  }
}

const rejected = ({ timers }: Stack, trunk: Trunk, leg: Leg, response: Response): Outcome => {
  const { status, headers } = response
  const failed: Failed = {
    _tag: "Failed",
    failure: Status.failureOf(status, leg.isHeard),
    cause: Status.causeOf(response)
  }
  if (!Status.isTrunkTrouble(status, leg.isHeard)) {
    trunk.heard(response)
    return inVain(failed, Status.isAccountTrouble(status) ? refused(trunk, status) : null)
  }
  const seconds = HeaderValue.retryAfter(headers.first("retry-after"))
  if (seconds !== null) trunk.health.rest(timers.now(), seconds)
  return { _tag: "InVain", failed, again: true, note: trunk.failed(`it answers an INVITE with ${status}`) }
}

const refused = (trunk: Trunk, status: number): Effect.Effect<void> =>
  Effect.logError("a SIP trunk refuses our account or caller id", { trunk: trunk.name, status })

const inVain = (failed: Failed, note: Effect.Effect<void> | null = null): Outcome => ({
  _tag: "InVain",
  failed,
  again: false,
  note
})

const failed = (failure: Failed["failure"], hangupCause: string, sipStatus: number | null): Failed => ({
  _tag: "Failed",
  failure,
  cause: { hangupCause, sipStatus, q850: null }
})
