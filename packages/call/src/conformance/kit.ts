/**
 * What the cases of the conformance suite are written with.
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Call, Dialled, Ended, Service } from "../CallGateway.ts"

/** What the network does with a call. */
export type Fate =
  | "rings"
  | "is busy"
  | "declines"
  | "cannot be reached"
  /** The callee answers at once. */
  | "answers"
  /** The call is on its way, and nothing more comes. */
  | "hangs"

export interface Harness {
  /** A gateway of its own network, for as long as the scope lives. The set-up limit is to be some seconds. */
  readonly start: Effect.Effect<Started, never, Scope.Scope>
}

export interface Started {
  readonly gateway: Service
  readonly network: Network
  /**
   * Another gateway on the same network, as a process has it that comes after one that was killed. Null for a
   * gateway whose calls do not outlive the process.
   */
  readonly restart: Effect.Effect<Service, never, Scope.Scope> | null
}

export interface Network {
  /** Says what happens to calls from now on. */
  readonly next: (fate: Fate) => Effect.Effect<void>
  /** How many calls the network was asked for so far. */
  readonly placed: Effect.Effect<number>
  /** How many of them it still works on: phones that ring, and calls that are on their way. */
  readonly open: Effect.Effect<number>
  /** The callee of every phone that rings answers, or declines. */
  readonly pickUp: Effect.Effect<void>
  readonly decline: Effect.Effect<void>
}

/** One thing that a gateway must do; `run` fails with what it did instead. */
export interface Case {
  readonly name: string
  readonly run: Effect.Effect<void, Misbehaviour>
}

/** A gateway did not do what it must. */
export class Misbehaviour extends Data.TaggedError("Misbehaviour")<{ readonly message: string }> {}

/** A case before it has a gateway. */
export interface Requirement {
  readonly name: string
  readonly run: (started: Started) => Effect.Effect<void, Misbehaviour, Scope.Scope>
}

export const must = (name: string, run: Requirement["run"]): Requirement => ({ name, run })

export const check = (holds: boolean, message: string): Effect.Effect<void, Misbehaviour> =>
  holds ? Effect.void : Effect.fail(new Misbehaviour({ message }))

export const order = (): Call => ({
  delivery: nextDeliveryId(Date.now()),
  caller: E164.make("+4930901820123"),
  callee: E164.make("+4915123456789"),
  maxRing: 30
})

/** Asks again until it is so, some seconds long. */
export const soon = (condition: Effect.Effect<boolean>, message: string): Effect.Effect<void, Misbehaviour> =>
  Effect.filterOrFail(
    condition,
    (holds) => holds,
    () => new Misbehaviour({ message })
  ).pipe(Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 2000 }), Effect.asVoid)

/** Dials; only the store may fail, and none is asked. */
export const dial = (gateway: Service, call = order()): Effect.Effect<Dialled, Misbehaviour> =>
  Effect.mapError(
    gateway.dial(call, () => Effect.void),
    ({ message }) => new Misbehaviour({ message })
  )

export const ring = Effect.fnUntraced(function* (gateway: Service, call = order()) {
  const dialled = yield* dial(gateway, call)
  if (dialled._tag === "Ringing") return dialled
  return yield* new Misbehaviour({ message: `a phone that rings was told as ${dialled.cause.hangupCause}` })
})

export const collect = Effect.fnUntraced(function* (gateway: Service) {
  const ends: Array<Ended> = []
  yield* gateway.events((event) => Effect.sync(() => void ends.push(event)))
  const count = (n: number) =>
    soon(
      Effect.sync(() => ends.length >= n),
      `there were ${ends.length} ends, not ${n}`
    )
  return { ends, count }
})

/** Nothing of any call is left in the network. */
export const nothingOpen = (network: Network) =>
  soon(
    Effect.map(network.open, (open) => open === 0),
    "a call was left open"
  )

export const isCause = (end: Ended | undefined, hangupCause: string) =>
  check(end?.cause.hangupCause === hangupCause, `the cause was ${end?.cause.hangupCause}, not ${hangupCause}`)
