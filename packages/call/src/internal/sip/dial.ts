/**
 * Dialling: which trunks and endpoints are tried for a call, in which order and for how long, until the phone rings.
 */
import type { StoreError } from "@watchword/store/StoreError"
import { type Said, foreign } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Call, Dialled } from "../../CallGateway.ts"
import { isCallerBlocked, maskedCaller } from "../CallerBlocked.ts"
import type { Rounds } from "./Digest.ts"
import type { Endpoint } from "./Endpoint.ts"
import { type Invite, nextInvite } from "./Invite.ts"
import { Leg, type LegStack } from "./Leg.ts"
import type { Response } from "./Message.ts"
import { PreparedCall } from "./PreparedCall.ts"
import { textsOf } from "./Reasons.ts"
import { adviceFor } from "./Refusals.ts"
import type { AttemptResult, SipCall } from "./SipCall.ts"
import * as Status from "./Status.ts"
import type { Trunk } from "./Trunk.ts"

export interface DialOptions {
  readonly stack: LegStack
  /** In order of preference. */
  readonly trunks: ReadonlyArray<Trunk>
  /** Milliseconds that a trunk may take to respond at all while there is another trunk. */
  readonly silence: number
  /** Milliseconds that a call may wait for its turn at a trunk. */
  readonly patience: number
}

/** Stores the dialogs of a call before an INVITE is sent. */
export type BeforeInvite = (dialog: string) => Effect.Effect<void, StoreError>

type Numbers = Pick<Call, "callee" | "caller">

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
      return yield* outcomeOf(result, leg, { callee, caller })
    }
    invite = nextInvite(invite)
    yield* beforeInvite(call.dialogWith(invite))
  }
})

const outcomeOf = (result: AttemptResult, leg: Leg, { callee, caller }: Numbers): Effect.Effect<Outcome> => {
  const { trunk } = leg
  if (result._tag === "Ringing") {
    trunk.took()
    return Effect.succeed(final(result))
  }
  if (result._tag === "HungUp") return Effect.succeed(final(failed(Status.notReached(), "ORIGINATOR_CANCEL")))
  if (result._tag === "Rejected") return outcomeOfRejection(result.response, leg, { callee, caller })
  if (result._tag === "Late" && leg.isHeard) {
    if (leg.isProgressing) trunk.note("sip_progress", neverRang)
    return Effect.succeed(final({ ...failed(Status.notReached(), "PROGRESS_TIMEOUT"), mayHaveRung: true }))
  }
  trunk.demote(leg.invite.route.endpoint)
  const reason = result._tag === "Unreachable" ? result.reason : "it does not answer an INVITE"
  const dialled = failed(Status.noTrunk(), "RECOVERY_ON_TIMER_EXPIRE")
  return Effect.as(trunk.failed(reason), { dialled, isFinal: result._tag === "Late" })
}

const neverRang: Said = {
  word: "183 without 180",
  message:
    "a SIP trunk sent 183 but no 180 within the time that a call may take to ring; if it never sends 180, set ;ringing=183"
}

const outcomeOfRejection = (response: Response, { isHeard, trunk }: Leg, numbers: Numbers): Effect.Effect<Outcome> => {
  const { callee } = numbers
  const mayHaveRung = Status.mayHaveRung(response, isHeard)
  const about = { cause: Status.causeOf(response), mayHaveRung }
  const failure = Status.failureOf(response, isHeard)
  if (Status.isTrunkTrouble(response, isHeard)) {
    return Effect.as(trunk.rejected(callee, response), {
      dialled: { _tag: "Failed", failure, ...about },
      isFinal: false
    })
  }
  trunk.heard(response)
  trunk.health.took(trunk.now)
  const complained = complain(trunk, response, trunk.refusals.refused(response.status, callee))
  if (Status.isAccountTrouble(response)) {
    return Effect.as(complained, { dialled: { _tag: "Failed", failure, ...about }, isFinal: false })
  }
  // A trunk that calls every number incomplete wants numbers in another form.
  const isOurs = response.status === 484 && trunk.refusals.isOfAll
  const dialled: Failed = { _tag: "Failed", failure: isOurs ? Status.refusedAll() : failure, ...about }
  const noted = isCallerBlocked(failure) ? noteBlocked(trunk, response, numbers) : complained
  return Effect.as(noted, final(dialled))
}

const final = (dialled: Dialled): Outcome => ({ dialled, isFinal: true })

/** @param isOfAll whether it has refused every number since this call */
const complain = (trunk: Trunk, response: Response, isOfAll: boolean): Effect.Effect<void> => {
  const { status } = response
  const isAccount = Status.isAccountTrouble(response)
  const isOffer = status === 488 || status === 606
  if (!isAccount && !isOffer && !isOfAll) return Effect.void
  const about = { trunk: trunk.name, status, text: foreign(textsOf(response)), try: adviceFor(status) }
  if (isOfAll) return Effect.logError("a SIP trunk refuses every number alike, so its settings are wrong", about)
  if (isOffer) return Effect.logWarning("a SIP trunk refuses our media offer", about)
  return Effect.logError("a SIP trunk refuses our account or caller id", about)
}

const blocked = Metric.counter("watchword_callers_blocked_total", {
  description: "Calls that a network has blocked because of their caller id, by gateway.",
  incremental: true
})

/** The text names the blocking engine, and where to complain. */
const noteBlocked = (trunk: Trunk, response: Response, { caller }: Numbers): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(blocked, { gateway: trunk.name }), 1),
    Effect.logWarning(
      "the network blocks calls from a caller id; complain where the text says, or call from other numbers",
      {
        trunk: trunk.name,
        status: response.status,
        caller: maskedCaller(caller),
        text: foreign(textsOf(response), LONGEST_TEXT)
      }
    )
  )

/** The Reason header of a block has a web address, a phone number and an e-mail address. */
const LONGEST_TEXT = 256

interface Turn {
  readonly trunk: Trunk
  /** In milliseconds. */
  readonly wait: number
}

/** Takes a turn at one of the trunks; null if no trunk is usable. */
const takeTurn = (options: DialOptions, untried: Iterable<Trunk>, callee: string): Turn | "Throttled" | null => {
  const turn = soonest(options, untried, callee)
  if (turn === null) return null
  if (turn.wait > options.patience) return "Throttled"
  const now = options.stack.timers.now()
  turn.trunk.limiter.take(now)
  turn.trunk.health.used(now)
  return turn
}

/** The first usable trunk that can take a call now, or otherwise the trunk that can take one soonest. */
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
