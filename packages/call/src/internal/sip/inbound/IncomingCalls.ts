/**
 * Calls to our numbers: each is heard once, and refused once its meaning is stored.
 *
 * Source: RFC 3261 §8.2, §9.2, §17.2.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type { Called } from "../../Called.ts"
import type { Source } from "../Endpoint.ts"
import * as HeaderValue from "../HeaderValue.ts"
import type { Request } from "../Message.ts"
import { keyOf } from "../RefusedInvites.ts"
import { respond, responseText } from "../ResponseTo.ts"
import type { Trunk } from "../Trunk.ts"
import * as Callers from "./Callers.ts"
import type { Identity } from "./Identity.ts"
import { type Clockwork, IncomingCall } from "./IncomingCall.ts"

/** How many calls of a trunk are looked at at a time; more are answered 480. */
const MOST_AT_ONCE = 256

/** How many answered calls of a trunk are known again; beyond it the oldest is forgotten early. */
const MOST_KEPT = 2_000

/** The calls of a trunk. */
interface Taken {
  /** By transaction. A Map keeps the order of arrival. */
  readonly calls: Map<string, IncomingCall>
  /** How many are looked at now. */
  open: number
  /** Whether there have been too many since the trunk was last idle. */
  isFull: boolean
}

const TOO_MANY = "a SIP trunk brings more calls to us than can be looked at at a time; the others are answered 480"

export interface Owner extends Clockwork {
  readonly trunks: ReadonlyArray<Trunk>
  /** Null if no signatures are believed. */
  readonly identity: Identity | null
  /** Brings a call to the verification that waits for it. Succeeds once that is stored. */
  readonly hear: (call: Called) => Effect.Effect<void, Error>
  /** Whether no more calls are to be heard: a caller's repeat is for the next process. */
  readonly isClosing: () => boolean
  /** Runs an effect from outside of any fiber. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

export class IncomingCalls {
  private readonly owner: Owner
  private readonly trunks: ReadonlyArray<Trunk>
  private readonly taken = new Map<Trunk, Taken>()

  constructor(owner: Owner) {
    this.owner = owner
    this.trunks = owner.trunks.filter(({ options }) => options.receives.length > 0)
    for (const trunk of this.trunks) this.taken.set(trunk, { calls: new Map(), open: 0, isFull: false })
  }

  /** Hears a request. Returns false if it is not about a call to a number of ours. */
  take(request: Request, source: Source): boolean {
    if (this.trunks.length === 0) return false
    switch (request.method) {
      case "INVITE":
        return this.invited(request, source)
      case "CANCEL": {
        const call = this.known(request)
        call?.cancelled(request, source)
        return call !== undefined
      }
      case "ACK":
        this.known(request)?.acknowledged()
        return true
      default:
        return false
    }
  }

  private known(request: Request): IncomingCall | undefined {
    const key = keyOf(request)
    for (const { calls } of this.taken.values()) {
      const call = calls.get(key)
      if (call !== undefined) return call
    }
    return undefined
  }

  private invited(invite: Request, source: Source): boolean {
    if (HeaderValue.tag(invite.headers.first("to") ?? "") !== "") return false
    const before = this.known(invite)
    if (before !== undefined) {
      before.repeated()
      return true
    }
    for (const trunk of this.trunks) {
      const to = trunk.sends(source.address) ? Callers.called(invite, trunk.options.receives) : null
      if (to === null) continue
      if (!this.owner.isClosing()) this.begin(trunk, invite, source, to)
      return true
    }
    return false
  }

  private begin(trunk: Trunk, invite: Request, source: Source, to: E164): void {
    const taken = this.taken.get(trunk)
    if (taken === undefined) return
    if (taken.open >= MOST_AT_ONCE) {
      if (!taken.isFull) this.owner.fork(Effect.logWarning(TOO_MANY, { trunk: trunk.name }))
      taken.isFull = true
      const text = responseText(invite, source, "480 Temporarily Unavailable", ["Retry-After: 1"])
      if (text !== null) respond(invite, source, text)
      return
    }
    const { calls } = taken
    const key = keyOf(invite)
    const call = new IncomingCall(invite, source, this.owner, () => {
      if (calls.get(key) === call) calls.delete(key)
    })
    makeRoom(calls)
    calls.set(key, call)
    taken.open++
    const stored = Effect.flatMap(this.read(trunk, invite, to), (called) => this.stored(trunk, called))
    const done = (exit: Exit.Exit<void, Error>) =>
      Effect.sync(() => {
        taken.open--
        if (taken.open === 0) taken.isFull = false
        if (Exit.isSuccess(exit)) call.refuse()
        else calls.delete(key)
      })
    this.owner.fork(Effect.ignoreCause(Effect.onExit(stored, done)))
  }

  /** Who calls, and who vouches for that. */
  private read(trunk: Trunk, invite: Request, to: E164): Effect.Effect<Called> {
    const { national, plus, trusted } = trunk.options
    const isNational = plus === "national" && national?.prefix === ""
    const { asserted, remote, written } = Callers.callers(invite, { ours: to, isNational })
    const claimed = { _tag: "Called", from: written ?? asserted ?? remote, to, assurance: "claimed" } as const
    const own: Called = trusted && asserted !== null ? { ...claimed, from: asserted, assurance: "network" } : claimed
    const values = invite.headers.list("identity")
    const { identity } = this.owner
    if (identity === null || values.length === 0 || own.assurance === "network") return Effect.succeed(own)
    return Effect.map(identity.vouched(values, [asserted, written], to), (from) =>
      from === null ? own : { ...own, from, assurance: "network" }
    )
  }

  /** Tries again for as long as a caller does: over TCP an INVITE is not repeated. */
  private stored(trunk: Trunk, call: Called): Effect.Effect<void, Error> {
    const { t1, t2 } = this.owner.values
    const { hear } = this.owner
    const again = Schedule.min([Schedule.exponential(t1), Schedule.spaced(t2)])
    return Effect.tapError(hear(call), (error) =>
      Effect.logError("a call to us could not be stored; it is not answered before it is", {
        trunk: trunk.name,
        reason: error.message
      })
    ).pipe(Effect.retry(Schedule.upTo(again, { duration: 64 * t1 })))
  }
}

/** Forgets the oldest answered call where there are many. */
const makeRoom = (calls: Map<string, IncomingCall>): void => {
  if (calls.size < MOST_KEPT) return
  for (const [key, call] of calls) {
    if (!call.isAnswered) continue
    call.drop()
    calls.delete(key)
    return
  }
}
