/**
 * From the order of a call to the first ringing: which trunks are tried, in which order and for how long.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Dialled, Call as Order } from "../CallGateway.ts"
import type { Call, Step } from "./Call.ts"
import { Draft } from "./Draft.ts"
import type { Health } from "./Health.ts"
import * as HeaderValue from "./HeaderValue.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type Invite, again } from "./Invite.ts"
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

/**
 * Tries the trunks until the phone rings, or the call has failed. Only what takes time is an effect of its own: most
 * calls ring where they are tried first.
 */
export const dial = (network: Network, call: Call, beforeInvite: BeforeInvite): Effect.Effect<Dialled, StoreError> =>
  new Search(network, call, beforeInvite).next()

/** The beginning of a call that is placed soon; null while the trunk that it would go to has not been looked up. */
export const draft = (network: Network, { callee, caller }: Pick<Order, "caller" | "callee">): Draft | null => {
  const trunk = soonest(network, network.trunks)?.trunk
  const endpoint = trunk?.endpoints[0]
  if (trunk === undefined || endpoint === undefined) return null
  return new Draft(trunk, trunk.builder.invite(endpoint, caller, callee))
}

/** One place of one trunk, and what is to be tried there. */
interface Attempt {
  readonly trunk: Trunk
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly index: number
  /** In milliseconds; null when there is nothing else to try. */
  readonly silence: number | null
  /** The realms that have been given credentials. */
  readonly answered: Set<string> | null
}

class Search {
  private readonly network: Network
  private readonly call: Call
  private readonly beforeInvite: BeforeInvite
  /** The trunks that were not tried. */
  private left: ReadonlyArray<Trunk>
  private last: Failed | null = null

  constructor(network: Network, call: Call, beforeInvite: BeforeInvite) {
    this.network = network
    this.call = call
    this.beforeInvite = beforeInvite
    this.left = network.trunks
  }

  /** Goes to the next trunk. */
  next(): Effect.Effect<Dialled, StoreError> {
    const turn = next(this.network, this.left)
    if (turn === null) return Effect.succeed(this.last ?? failed(Status.noTrunk(), "NETWORK_OUT_OF_ORDER", null))
    if (turn === "Throttled") return Effect.succeed(failed(Status.tooManyCalls(), "SWITCH_CONGESTION", null))
    const { trunk, wait } = turn
    this.left = this.left.filter((other) => other !== trunk)
    return wait > 0 ? Effect.flatMap(Effect.sleep(wait), () => this.at(trunk)) : this.at(trunk)
  }

  private at(trunk: Trunk): Effect.Effect<Dialled, StoreError> {
    if (this.call.left <= 0) {
      return Effect.succeed(this.last ?? failed(Status.notReached(), "PROGRESS_TIMEOUT", null))
    }
    if (trunk.endpoints.length > 0) return this.among(trunk, trunk.endpoints, 0)
    return Effect.flatMap(trunk.resolve, () => this.among(trunk, trunk.endpoints, 0))
  }

  /** Tries the places of a trunk, from some place on. */
  private among(trunk: Trunk, endpoints: ReadonlyArray<Endpoint>, index: number): Effect.Effect<Dialled, StoreError> {
    const { call, network } = this
    const endpoint = endpoints[index]
    if (endpoint === undefined) return this.next()
    const isLast = index === endpoints.length - 1 && !this.left.some(({ health }) => isUsable(network, health))
    const attempt: Attempt = { trunk, endpoints, index, silence: isLast ? null : network.silence, answered: null }
    const drafted = call.drafted(trunk, endpoint)
    if (drafted !== null) return this.invited(attempt, drafted.invite)
    return this.stored(attempt, trunk.builder.invite(endpoint, call.order.caller, call.order.callee))
  }

  /** Sends an INVITE when its dialog is stored. */
  private stored(attempt: Attempt, words: Invite): Effect.Effect<Dialled, StoreError> {
    return Effect.andThen(this.beforeInvite(this.call.dialogWith(words)), this.invited(attempt, words))
  }

  /** Sends an INVITE whose dialog is stored. */
  private invited(attempt: Attempt, words: Invite): Effect.Effect<Dialled, StoreError> {
    return Effect.callback((resume) => {
      const { call, network } = this
      const { silence, trunk } = attempt
      const credentials = trunk.credentials.lines("INVITE", words.uri)
      const leg = new Leg(network.stack, trunk, words, credentials, call)
      const text = trunk.builder.inviteText(words, call.order.caller, credentials)
      call.place(leg, text, silence, (step) => resume(this.after(attempt, leg, step)))
    })
  }

  /** What follows from what became of an INVITE. */
  private after(attempt: Attempt, leg: Leg, step: Step): Effect.Effect<Dialled, StoreError> {
    const { trunk } = attempt
    switch (step._tag) {
      case "Ringing":
        return Effect.succeed(step)
      case "HungUp":
        return Effect.succeed(failed(Status.notReached(), "ORIGINATOR_CANCEL", null))
      case "Rejected":
        return this.rejected(attempt, leg, step.response)
      case "Late":
        if (leg.isHeard) return Effect.succeed(failed(Status.notReached(), "PROGRESS_TIMEOUT", null))
        break
      default:
    }
    trunk.demote(leg.invite.route.endpoint)
    const failure = failed(Status.noTrunk(), "RECOVERY_ON_TIMER_EXPIRE", null)
    const note = trunk.failed(step._tag === "Unreachable" ? step.reason : "it does not answer an INVITE")
    return Effect.andThen(note, step._tag === "Late" ? Effect.succeed(failure) : this.elsewhere(attempt, failure))
  }

  private rejected(attempt: Attempt, leg: Leg, response: Response): Effect.Effect<Dialled, StoreError> {
    const { trunk } = attempt
    const { status, headers } = response
    const answered = attempt.answered ?? new Set()
    if ([401, 407].includes(status) && trunk.credentials.challenged(response, answered)) {
      return this.stored({ ...attempt, answered }, again(leg.invite))
    }
    const failure: Failed = {
      _tag: "Failed",
      failure: Status.failureOf(status, leg.isHeard),
      cause: Status.causeOf(response)
    }
    if (Status.isTrunkTrouble(status, leg.isHeard)) {
      const seconds = HeaderValue.retryAfter(headers.first("retry-after"))
      if (seconds !== null) trunk.health.rest(this.network.stack.timers.now(), seconds)
      return Effect.andThen(trunk.failed(`it answers an INVITE with ${status}`), this.elsewhere(attempt, failure))
    }
    trunk.heard(response)
    return Status.isAccountTrouble(status) ? Effect.as(refused(trunk, status), failure) : Effect.succeed(failure)
  }

  /** Goes to the next place, which may do better. */
  private elsewhere({ index, endpoints, trunk }: Attempt, failure: Failed): Effect.Effect<Dialled, StoreError> {
    return Effect.suspend(() => {
      this.last = failure
      return this.among(trunk, endpoints, index + 1)
    })
  }
}

const isUsable = ({ stack }: Network, health: Health): boolean => health.isUsable(stack.timers.now())

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

const refused = (trunk: Trunk, status: number): Effect.Effect<void> =>
  Effect.logError("a SIP trunk refuses our account or caller id", { trunk: trunk.name, status })

const failed = (failure: Failed["failure"], hangupCause: string, sipStatus: number | null): Failed => ({
  _tag: "Failed",
  failure,
  cause: { hangupCause, sipStatus, q850: null }
})
