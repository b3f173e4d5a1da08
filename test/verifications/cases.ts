/**
 * Verification checks that run on any store: the list depends on no test runner, so that a Worker can run it too.
 */
import { type Case, eventually } from "@watchword/store/checks"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { type Verification, isWatchwordError } from "@watchword/client"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { audit } from "./audit.ts"
import { step } from "./settings.ts"
import { type Process, type World, type WorldOptions, makeWorld } from "./world.ts"

export interface Harness {
  /** Opens a store. Cases have accounts of their own, so they may share it. */
  readonly store: () => Layer.Layer<Store, StoreError>
  /** Whether the store decides by its own clock, not the process's, which verifications are due. */
  readonly hasOwnClock: boolean
}

/** A check in a world of its own, whose money is audited at the end. */
export interface WorldCase {
  readonly name: string
  readonly check: (world: World) => Promise<void>
  readonly options?: WorldOptions
}

export const bind =
  ({ hasOwnClock, store }: Harness) =>
  ({ check, name, options }: WorldCase): Case => ({
    name,
    check: Effect.scoped(
      Effect.gen(function* () {
        const opened = Context.get(yield* Layer.build(store()), Store)
        const world = yield* Effect.promise(() => makeWorld(opened, { ...options, hasOwnClock }))
        yield* Effect.addFinalizer(() => Effect.promise(world.end))
        yield* Effect.promise(() => check(world))
        yield* Effect.promise(() => audit(world))
      })
    )
  })

/** A promise's answer, or the code and the reason of its error. */
export type Outcome<A> = { readonly answer: A } | { readonly code: string; readonly reason: string | null }

export const outcomeOf = <A>(promise: Promise<A>): Promise<Outcome<A>> =>
  promise.then(
    (answer) => ({ answer }),
    (error: unknown) => ({
      code: isWatchwordError(error) ? error.code : String(error),
      reason: isWatchwordError(error) ? (error.reason ?? null) : null
    })
  )

export const outcomesOf = <A>(promises: ReadonlyArray<Promise<A>>): Promise<ReadonlyArray<Outcome<A>>> =>
  Promise.all(promises.map(outcomeOf))

/** The answers, and the number of errors with each code. */
export const sorted = <A>(outcomes: ReadonlyArray<Outcome<A>>) => {
  const answers: Array<A> = []
  const codes: Record<string, number> = {}
  for (const outcome of outcomes) {
    if ("answer" in outcome) answers.push(outcome.answer)
    else codes[outcome.code] = (codes[outcome.code] ?? 0) + 1
  }
  return { answers, codes }
}

/** Starts a verification of the world's number, by SMS unless the body says otherwise. */
export const start = (world: World, { service }: Process, body: object = {}): Promise<Verification> =>
  service.verify.start(world.account, { to: world.number, workflow: [step("sms")], ...body })

export const check = (world: World, { service }: Process, code: string, id: string) =>
  service.verify.check(world.account, id, { code })

export const get = (world: World, { service }: Process, id: string): Promise<Verification> =>
  service.verify.get(world.account, id)

/** The code that the messages carry. */
export const codeOf = ({ network }: World): string => network.messages[0]?.code ?? ""

/** A code of the same length that differs from the code in the messages. */
export const wrongCode = (world: World): string =>
  codeOf(world).replace(/^./, (digit) => String((Number(digit) + 1) % 10))

/** Waits for work that a process does after it has answered. */
export const until = (about: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
  Effect.runPromise(
    eventually(
      about,
      Effect.promise(async () => condition())
    )
  )
