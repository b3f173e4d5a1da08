/**
 * The endpoints that are told of an account's events: those of the account, those of the installation, and handlers.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { type Owner, Settings } from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Endpoint, type State, endpoints, states } from "./Endpoint.ts"
import { Handlers } from "./Handlers.ts"

/** An endpoint with its owner and its state, which is null while all is well. */
export interface Found {
  readonly owner: Owner
  readonly endpoint: Endpoint
  readonly state: State | null
}

/** The patterns of events that an endpoint, by its id, wants. */
export type Wanted = readonly [id: string, patterns: ReadonlyArray<string>]

export interface Service {
  /** The endpoints that are told of an account, as they are now; those that are disabled are not. */
  readonly of: (account: AccountId) => Effect.Effect<ReadonlyArray<Wanted>, StoreError>
  /** An endpoint that may be told of an account; null where it is gone. */
  readonly find: (id: string, account: AccountId) => Effect.Effect<Found | null, StoreError>
}

export class Endpoints extends Context.Service<Endpoints, Service>()("@watchword/events/Endpoints") {}

export const make = Effect.gen(function* () {
  const settings = yield* Settings
  const handlers = yield* Handlers

  const webhooks = Effect.fnUntraced(function* (owner: Owner) {
    const all = yield* settings.all(owner, endpoints)
    if (all.size === 0) return []
    const state = yield* settings.all(owner, states)
    return [...all]
      .filter(([id]) => (state.get(id)?.disabled ?? null) === null)
      .map(([id, { events }]): Wanted => [id, events])
  })

  const of: Service["of"] = Effect.fnUntraced(function* (account) {
    const inProcess = (yield* handlers.endpoints).map(([id, pattern]): Wanted => [id, [pattern]])
    return [...(yield* webhooks(account)), ...(yield* webhooks(null)), ...inProcess]
  })

  const find: Service["find"] = Effect.fnUntraced(function* (id, account) {
    for (const owner of [account, null]) {
      const endpoint = (yield* settings.all(owner, endpoints)).get(id)
      if (endpoint === undefined) continue
      return { owner, endpoint, state: (yield* settings.all(owner, states)).get(id) ?? null }
    }
    return null
  })

  return Endpoints.of({ of, find })
})

export const layer: Layer.Layer<Endpoints, never, Handlers | Settings> = Layer.effect(Endpoints, make)
