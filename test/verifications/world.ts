/**
 * Processes of a service on one store, with scripted gateways and a clock that stands still until the test moves it.
 * No process works in the background: `maintain` runs the pass that finds due steps.
 */
import { nextEntryId } from "@watchword/schemas/Ids"
import type { AccountId } from "@watchword/schemas/Ids"
import { PositiveMicroEuros } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import { type Service as StoreService, Store, about } from "@watchword/store/Store"
import type { Service as SnapshotService } from "@watchword/store/Snapshots"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import { over } from "watchword/Hosting"
import * as Services from "watchword/Services"
import { Maintenance } from "watchword/Services"
import { type Received, Receiving, type Result } from "@watchword/send/channel/Receiving"
import { someAccount } from "../stores/fixtures.ts"
import * as MovedClock from "./clock.ts"
import { forms } from "./forms.ts"
import * as Life from "./life.ts"
import { type Message, type Network, makeNetwork } from "./network.ts"
import { CALLERS, PRICES, SECRET } from "./settings.ts"

export interface World {
  readonly store: StoreService
  /** Null if no snapshot can be taken. */
  readonly snapshots: SnapshotService | null
  readonly network: Network
  readonly account: AccountId
  /** The number to verify; no other test uses it. */
  readonly number: string
  /** The account's initial money, in micro-euros. */
  readonly credit: number
  /** Milliseconds since the epoch, on the clock of every process. */
  readonly now: () => number
  /** Starts a process. */
  readonly process: (options?: ProcessOptions) => Promise<Process>
  /** Lets seconds pass, for all processes and for due steps in the store. */
  readonly elapse: (seconds: number) => Promise<void>
  /** Sends a gateway's report about a message to a given process, or to the first that is alive. */
  readonly receipt: (message: Message, good: boolean, to?: Process) => Promise<void>
  /** The account's deliveries of a product. */
  readonly deliveries: (product: string) => Promise<ReadonlyArray<Delivery>>
  readonly run: <A>(effect: Effect.Effect<A, StoreError>) => Promise<A>
  readonly end: () => Promise<void>
}

interface ProcessOptions {
  /** The first secret creates codes. */
  readonly secrets?: readonly [string, ...ReadonlyArray<string>]
}

export interface Process {
  readonly life: Life.Life
  readonly service: ReturnType<typeof over>
  /** Runs one pass over the due steps. */
  readonly maintain: () => Promise<void>
  /** Brings an action of a user to the process, as its channels do. */
  readonly offer: (received: Received) => Promise<Result>
  /** The result of a promise of the process; null if the process died before. */
  readonly unlessDead: <A>(promise: Promise<A>) => Promise<A | null>
}

export interface WorldOptions {
  /** In EUR; 10 by default. */
  readonly credit?: number
  /** Whether the store decides by its own clock, not the process's, which verifications are due. */
  readonly hasOwnClock?: boolean
  readonly snapshots?: SnapshotService
}

let numbers: number | null = null

/** A number that no other world has, in this process or another. A Worker may draw random values only in handlers. */
const nextNumber = (): number => {
  numbers = (numbers ?? ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 100_000) * 1_000) + 1
  return numbers
}

/** A world on an open store, which may contain other accounts. */
export const makeWorld = async (store: StoreService, options: WorldOptions = {}): Promise<World> => {
  const { credit = 10, hasOwnClock = false, snapshots = null } = options
  const clock = MovedClock.standing()
  const references = Layer.merge(Layer.succeed(Clock.Clock, clock), Logger.layer([]))
  const run = <A>(effect: Effect.Effect<A, StoreError>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, references))
  const now = () => clock.currentTimeMillisUnsafe()

  const account = someAccount({ smsSender: "Acme", createdAt: now() })
  await run(store.createAccount(account))
  const amount = PositiveMicroEuros.make(Math.round(credit * 1_000_000))
  await run(store.credit({ id: nextEntryId(now()), account: account.id, amount, at: now() }))

  await run(store.changeSetting({ account: account.id, name: "callers", value: JSON.stringify({ callers: CALLERS }) }))

  const number = `+49151${String(nextNumber()).padStart(8, "0")}`
  const network = makeNetwork(number)
  const runtimes: Array<() => Promise<void>> = []

  const process: World["process"] = async ({ secrets = [SECRET] } = {}) => {
    const life = Life.begin()
    const layer = Services.layer({
      store: Layer.succeed(Store, Life.storeOf(store, life)),
      ...network.gatewaysOf(life),
      prices: PRICES,
      secret: secrets,
      // The same number is verified many times.
      guards: "none",
      background: false
    })
    const runtime = ManagedRuntime.make(Layer.provideMerge(layer, references))
    const service = over(await runtime.context())
    const receiving = await runtime.runPromise(Effect.service(Receiving))
    const scope = Scope.makeUnsafe()
    for (const form of forms) await runtime.runPromise(Scope.provide(receiving.add(form), scope))
    runtimes.push(() => (life.isDead() ? Promise.resolve() : runtime.dispose()))
    return {
      life,
      service,
      maintain: () => runtime.runPromise(Maintenance.use((maintenance) => maintenance.run)),
      offer: (received) => runtime.runPromise(receiving.offer(received)),
      unlessDead: (promise) => Promise.race([promise, life.death.then(() => null)])
    }
  }

  const deliveries: World["deliveries"] = async (channel) => {
    const all = { account: account.id, mode: "live", channel, where: [], offset: 0, limit: 1_000 } as const
    return (await run(store.list({ ...all, sort: { field: "id", direction: "ASC" } }))).rows
  }

  const elapse: World["elapse"] = async (seconds) => {
    clock.move(seconds * 1000)
    if (!hasOwnClock) return
    for (const { dueAt, id } of await deliveries("verify")) {
      // Steps that are due by the test's clock are made due by the store's clock.
      if (dueAt !== null && dueAt <= now()) await run(store.report(about(id, now(), { dueAt: 1 })))
    }
  }

  return {
    store,
    snapshots,
    network,
    account: account.id,
    number,
    credit: amount,
    now,
    process,
    elapse,
    receipt: (message, good, to) => run(network.receipt(message, good, to?.life)),
    deliveries,
    run,
    end: async () => {
      await Promise.all(runtimes.map((dispose) => dispose()))
    }
  }
}
