/**
 * Dialling: which trunks and endpoints are tried for a call, in which order and for how long, until the phone rings.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Call, Dialled } from "../../CallGateway.ts"
import type { Rounds } from "./Digest.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type Invite, nextInvite } from "./Invite.ts"
import { Leg, type LegStack } from "./Leg.ts"
import type { Response } from "./Message.ts"
import { PreparedCall } from "./PreparedCall.ts"
import type { AttemptResult, SipCall } from "./SipCall.ts"
import * as Status from "./Status.ts"
import type { Trunk } from "./Trunk.ts"

export interface DialOptions {
  readonly stack: LegStack
  /** In order of preference. */
  readonly trunks: ReadonlyArray<Trunk>
  /** Milliseconds that a trunk may take to respond at all while there is another one. */
  readonly silence: number
  /** Milliseconds that a call may wait for its turn at a trunk. */
  readonly patience: number
}

/** Stores the dialogs of a call before an INVITE is sent. */
export type BeforeInvite = (dialog: string) => Effect.Effect<void, StoreError>

type Failed = Extract<Dialled, { readonly _tag: "Failed" }>

/** Tries trunk after trunk, and the endpoints of each, until the phone rings or a failure is final. */
export const dial = Effect.fnUntraced(function* (
  options: DialOptions,
  call: SipCall,
  beforeInvite: BeforeInvite
): Effect.fn.Return<Dialled, StoreError> {
  const now = options.stack.timers.now
  const { callee } = call.order
  const untried = new Set(options.trunks)
  let last: Failed | null = null
  for (;;) {
    const turn = takeTurn(options, untried, callee)
    if (turn === null) return last ?? failed(Status.noTrunk(), "NETWORK_OUT_OF_ORDER")
    if (turn === "Throttled") return failed(Status.tooManyCalls(), "SWITCH_CONGESTION")
    const { trunk, wait } = turn
    untried.delete(trunk)
    if (wait > 0) yield* Effect.sleep(wait)
    if (call.left <= 0) return last ?? failed(Status.notReached(), "PROGRESS_TIMEOUT")
    if (trunk.endpoints.length === 0) yield* trunk.resolve
    const { endpoints } = trunk
    for (const [index, endpoint] of endpoints.entries()) {
      const isLast =
        index === endpoints.length - 1 && ![...untried].some(({ health }) => health.isUsable(now(), callee))
      const silence = isLast ? null : options.silence
      const { dialled, isFinal } = yield* tryEndpoint(options, call, { trunk, endpoint, silence }, beforeInvite)
      if (isFinal || dialled._tag === "Ringing") return dialled
      last = dialled
    }
  }
})

/** Builds the first INVITE of a call that is placed soon; null while its trunk has not been resolved. */
export const prepare = (options: DialOptions, { callee, caller }: Pick<Call, "caller" | "callee">) => {
  const trunk = soonest(options, options.trunks, callee)?.trunk
  const endpoint = trunk?.endpoints[0]
  if (trunk === undefined || endpoint === undefined) return null
  return new PreparedCall(trunk, trunk.builder.invite(endpoint, caller, callee))
}

interface Attempt {
  readonly trunk: Trunk
  readonly endpoint: Endpoint
  /** In milliseconds; null when there is nothing else to try. */
  readonly silence: number | null
}

interface Outcome {
  readonly dialled: Dialled
  /** Whether no other endpoint can do better. */
  readonly isFinal: boolean
}

/** Sends an INVITE to one endpoint, again with credentials when it asks for them. */
const tryEndpoint = Effect.fnUntraced(function* (
  { stack }: DialOptions,
  call: SipCall,
  { endpoint, silence, trunk }: Attempt,
  beforeInvite: BeforeInvite
): Effect.fn.Return<Outcome, StoreError> {
  const { callee, caller } = call.order
  const rounds: Rounds = new Map()
  const prepared = call.takePrepared(trunk, endpoint)
  let invite: Invite = prepared ?? trunk.builder.invite(endpoint, caller, callee)
  if (prepared === null) yield* beforeInvite(call.dialogWith(invite))
  for (;;) {
    const credentials = trunk.credentials.lines("INVITE", invite.uri, endpoint)
    const leg = new Leg(stack, trunk, invite, credentials, call)
    const text = trunk.builder.inviteText(invite, caller, credentials)
    const result = yield* Effect.callback<AttemptResult>((resume) =>
      call.attempt(leg, text, silence, (result) => resume(Effect.succeed(result)))
    )
    if (result._tag !== "Rejected" || !trunk.credentials.challenged(result.response, endpoint, rounds)) {
      return yield* outcomeOf(result, leg, callee, stack.timers.now())
    }
    invite = nextInvite(invite)
    yield* beforeInvite(call.dialogWith(invite))
  }
})

const outcomeOf = (result: AttemptResult, leg: Leg, callee: string, now: number): Effect.Effect<Outcome> => {
  const { trunk } = leg
  if (result._tag === "Ringing") {
    trunk.health.took(now)
    return Effect.succeed(final(result))
  }
  if (result._tag === "HungUp") return Effect.succeed(final(failed(Status.notReached(), "ORIGINATOR_CANCEL")))
  if (result._tag === "Rejected") return outcomeOfRejection(result.response, leg, callee, now)
  if (result._tag === "Late" && leg.isHeard) {
    return Effect.succeed(final({ ...failed(Status.notReached(), "PROGRESS_TIMEOUT"), mayHaveRung: true }))
  }
  trunk.demote(leg.invite.route.endpoint)
  const reason = result._tag === "Unreachable" ? result.reason : "it does not answer an INVITE"
  const dialled = failed(Status.noTrunk(), "RECOVERY_ON_TIMER_EXPIRE")
  return Effect.as(trunk.failed(reason), { dialled, isFinal: result._tag === "Late" })
}

const outcomeOfRejection = (
  response: Response,
  { isHeard, trunk }: Leg,
  callee: string,
  now: number
): Effect.Effect<Outcome> => {
  const { status } = response
  const failure = Status.failureOf(status, isHeard)
  const mayHaveRung = isHeard && Status.isDeclined(status)
  const dialled: Failed = { _tag: "Failed", failure, cause: Status.causeOf(response), mayHaveRung }
  if (Status.isTrunkTrouble(status, isHeard)) {
    return Effect.as(trunk.rejected(callee, response), { dialled, isFinal: false })
  }
  trunk.heard(response)
  trunk.health.took(now)
  return Effect.as(Status.isAccountTrouble(status) ? refused(trunk, status) : Effect.void, final(dialled))
}

const final = (dialled: Dialled): Outcome => ({ dialled, isFinal: true })

const refused = (trunk: Trunk, status: number): Effect.Effect<void> =>
  Effect.logError("a SIP trunk refuses our account or caller id", { trunk: trunk.name, status })

interface Turn {
  readonly trunk: Trunk
  /** In milliseconds. */
  readonly wait: number
}

/** Takes a turn at one of the trunks; null when none is usable. */
const takeTurn = (options: DialOptions, untried: Iterable<Trunk>, callee: string): Turn | "Throttled" | null => {
  const turn = soonest(options, untried, callee)
  if (turn === null) return null
  if (turn.wait > options.patience) return "Throttled"
  const now = options.stack.timers.now()
  turn.trunk.limiter.take(now)
  turn.trunk.health.used(now)
  return turn
}

/** The first usable trunk that can take a call now, or else the one that can soonest. */
const soonest = ({ stack }: DialOptions, trunks: Iterable<Trunk>, callee: string): Turn | null => {
  const now = stack.timers.now()
  let turn: Turn | null = null
  for (const trunk of trunks) {
    if (!trunk.health.isUsable(now, callee)) continue
    const wait = Math.max(0, trunk.limiter.availableAt(now) - now)
    if (turn === null || wait < turn.wait) turn = { trunk, wait }
    if (wait === 0) break
  }
  return turn
}

const failed = (failure: Failed["failure"], hangupCause: string): Failed => ({
  _tag: "Failed",
  failure,
  cause: { hangupCause, sipStatus: null, q850: null }
})
