/**
 * The open gateways of carriers, and their replacement while they run.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { type Carrier, type InForce, newHistory } from "./Carriers.ts"
import type { Costs } from "./Costs.ts"
import type { RouteTable } from "./RouteTable.ts"

/** A carrier to open; `Id` is the port of its channel. */
export interface Opening<in Id, out E> {
  readonly gateway: Layer.Layer<Id, E>
  /** What distinguishes its connection from others: a reload keeps the gateway of a carrier with the same. */
  readonly connection: string
  readonly costs: Costs | null
}

export interface Setup<in Id, out E> {
  readonly carriers: ReadonlyMap<string, Opening<Id, E>>
  readonly routes: RouteTable
}

export interface Fleet<out G, out Id, in out E> {
  readonly current: () => InForce<G>
  /**
   * Puts other carriers, costs and routes into force. New connections are opened first; connections that are no longer
   * named are closed once their requests in flight are answered. If a connection cannot be opened, nothing changes.
   */
  readonly replace: (setup: Setup<Id, E>) => Effect.Effect<void, E>
}

interface Open<out G> extends Carrier<G> {
  readonly connection: string
  readonly close: Effect.Effect<void>
}

/** How a channel keeps the gateways of its carriers. */
interface Keeping<in G> {
  /** Has the events of a gateway handled until the scope of all carriers closes, which is after its own. */
  readonly attach: (carrier: string, gateway: G) => Effect.Effect<void, never, Scope.Scope>
  /** Waits for a gateway's requests in flight before it is replaced; at most as long as a request may take. */
  readonly settled: (gateway: G) => Effect.Effect<void>
}

/** Carriers that live as long as the scope. */
export const make = Effect.fnUntraced(function* <Id, G, E>(
  port: Context.Key<Id, G>,
  first: Setup<Id, E>,
  { attach, settled }: Keeping<G>
): Effect.fn.Return<Fleet<G, Id, E>, E, Scope.Scope> {
  const scope = yield* Effect.scope
  let carriers: ReadonlyMap<string, Open<G>> = new Map()
  let inForce: InForce<G> = { carriers, routes: first.routes }
  yield* Effect.addFinalizer(() => closed(carriers.values()))

  const opened = Effect.fnUntraced(function* (name: string, { connection, costs, gateway: layer }: Opening<Id, E>) {
    const own = yield* Scope.make()
    const context = yield* Layer.buildWithScope(Layer.fresh(layer), own).pipe(
      Effect.onError(() => Scope.close(own, Exit.void))
    )
    const gateway = Context.get(context, port)
    yield* Scope.provide(attach(name, gateway), scope)
    const open: Open<G> = {
      name,
      gateway,
      costs,
      connection,
      close: Scope.close(own, Exit.void),
      history: newHistory()
    }
    return open
  })

  const replace = Effect.fnUntraced(function* (setup: Setup<Id, E>) {
    const before = carriers
    const next = new Map<string, Open<G>>()
    const fresh: Array<Open<G>> = []
    for (const [name, opening] of setup.carriers) {
      const same = before.get(name)
      if (same !== undefined && same.connection === opening.connection) {
        next.set(name, { ...same, costs: opening.costs })
        continue
      }
      const carrier = yield* Effect.onError(opened(name, opening), () => closed(fresh))
      fresh.push(carrier)
      next.set(name, carrier)
    }
    carriers = next
    inForce = { carriers, routes: setup.routes }
    const gone = [...before.values()].filter(({ close, name }) => next.get(name)?.close !== close)
    const ended = gone.map((carrier) => Effect.andThen(settled(carrier.gateway), carrier.close))
    yield* Effect.forkIn(Effect.all(ended, { concurrency: "unbounded", discard: true }), scope)
  }, Effect.uninterruptible)

  yield* replace(first)
  return { current: () => inForce, replace }
})

const closed = (carriers: Iterable<Open<unknown>>): Effect.Effect<void> =>
  Effect.forEach([...carriers], ({ close }) => close, { concurrency: "unbounded", discard: true })
