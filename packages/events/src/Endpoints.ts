/**
 * The endpoints that are told of an account's events: those of the account, those of the installation, and handlers.
 */
import type { EventType } from "@watchword/schemas/Event"
import type { AccountId } from "@watchword/schemas/Ids"
import { type Owner, Settings } from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Endpoint, type State, endpoints, states, wants } from "./Endpoint.ts"
import { Handlers } from "./Handlers.ts"

/** An endpoint with its owner and its state, which is null while all is well. */
export interface Found {
  readonly owner: Owner
  readonly endpoint: Endpoint
  readonly state: State | null
}

export interface Service {
  /** The ids of those that want any of some types, of an account. */
  readonly watching: (
    account: AccountId,
    types: ReadonlyArray<EventType>
  ) => Effect.Effect<ReadonlyArray<string>, StoreError>
  /** An endpoint that may be told of an account; null where it is gone. */
  readonly find: (id: string, account: AccountId) => Effect.Effect<Found | null, StoreError>
}

export class Endpoints extends Context.Service<Endpoints, Service>()("@watchword/events/Endpoints") {}

export const make = Effect.gen(function* () {
  const settings = yield* Settings
  const handlers = yield* Handlers

  const of = Effect.fnUntraced(function* (owner: Owner) {
    const all = yield* settings.all(owner, endpoints)
    if (all.size === 0) return []
    const state = yield* settings.all(owner, states)
    return [...all].map(([id, endpoint]) => ({ id, found: { owner, endpoint, state: state.get(id) ?? null } }))
  })

  const watching: Service["watching"] = Effect.fnUntraced(function* (account, types) {
    const webhooks = [...(yield* of(account)), ...(yield* of(null))]
      .filter(({ found }) => (found.state?.disabled ?? null) === null)
      .map(({ found, id }) => [id, found.endpoint.events] as const)
    const inProcess = (yield* handlers.endpoints).map(([id, pattern]) => [id, [pattern]] as const)
    return [...webhooks, ...inProcess]
      .filter(([, patterns]) => types.some((type) => wants(patterns, type)))
      .map(([id]) => id)
  })

  const find: Service["find"] = Effect.fnUntraced(function* (id, account) {
    for (const owner of [account, null]) {
      const endpoint = (yield* settings.all(owner, endpoints)).get(id)
      if (endpoint === undefined) continue
      return { owner, endpoint, state: (yield* settings.all(owner, states)).get(id) ?? null }
    }
    return null
  })

  return Endpoints.of({ watching, find })
})

export const layer: Layer.Layer<Endpoints, never, Handlers | Settings> = Layer.effect(Endpoints, make)
