/**
 * The endpoints that receive an account's events: the account's, the installation's, and handlers.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import { type Derive, type Owner, Settings, type Values } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
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
  /** The endpoints that learn of an account's events; disabled ones do not. */
  readonly wanted: Derive<ReadonlyArray<Wanted>>
  /** An endpoint that may receive an account's events; null if it is gone. */
  readonly find: (id: string, account: AccountId) => Effect.Effect<Found | null, StoreError>
}

export class Endpoints extends Context.Service<Endpoints, Service>()("@watchword/events/internal/Endpoints") {}

const make = Effect.gen(function* () {
  const settings = yield* Settings
  const handlers = yield* Handlers

  const wanted: Service["wanted"] = (own, common, at) =>
    Result.gen(function* () {
      const inProcess = (yield* handlers.endpoints(common, at)).map(([id, pattern]): Wanted => [id, [pattern]])
      return [...(yield* webhooks(own)), ...(yield* webhooks(common)), ...inProcess]
    })

  const find: Service["find"] = Effect.fnUntraced(function* (id, account) {
    for (const owner of [account, null]) {
      const endpoint = (yield* settings.all(owner, endpoints)).get(id)
      if (endpoint === undefined) continue
      return { owner, endpoint, state: (yield* settings.all(owner, states)).get(id) ?? null }
    }
    return null
  })

  return Endpoints.of({ wanted, find })
})

export const layer: Layer.Layer<Endpoints, never, Handlers | Settings> = Layer.effect(Endpoints, make)

const webhooks = (values: Values): Result.Result<ReadonlyArray<Wanted>, StoreError> =>
  Result.gen(function* () {
    const all = yield* values.all(endpoints)
    if (all.size === 0) return []
    const state = yield* values.all(states)
    return [...all]
      .filter(([id]) => (state.get(id)?.disabled ?? null) === null)
      .map(([id, { events }]): Wanted => [id, events])
  })
