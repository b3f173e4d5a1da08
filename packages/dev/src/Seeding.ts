/**
 * The store of a development server: one account with a sandbox key, and the endpoint that events are forwarded to.
 */
import { keyHash } from "@watchword/auth/Keys"
import { endpoints } from "@watchword/events/EndpointAdmin"
import { anyOriginators } from "@watchword/schemas/Account"
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { OwnTexts } from "@watchword/verify/operator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Credentials } from "./Folder.ts"

/** A number that the German regulator keeps for films. */
const CALLER = "+493023125000"

export interface Seed {
  readonly credentials: Credentials
  /** The address that all events are forwarded to; null for none. */
  readonly forward: string | null
}

/** The same store, with the missing parts of the seed added. */
export const seeded = (
  seed: Seed,
  store: Layer.Layer<Store, StoreError, ChannelRegistry>
): Layer.Layer<Store, StoreError, ChannelRegistry> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      const store = yield* Store
      const settings = yield* Settings.make
      yield* Effect.provideService(account(store, seed.credentials), Settings.Settings, settings)
      yield* Effect.provideService(forwarding(seed), Settings.Settings, settings)
      return store
    })
  ).pipe(Layer.provide(store))

const account = Effect.fnUntraced(function* (
  store: Store["Service"],
  { account: id, created_at, key, key_id }: Credentials
) {
  if (Option.isSome(yield* store.account(id))) return
  yield* store.createAccount({
    id,
    name: "Acme",
    caller: CALLER,
    smsSender: "Acme",
    senderUsername: null,
    minRing: 20,
    maxRing: 30,
    storeText: false,
    originators: anyOriginators,
    suspendedAt: null,
    createdAt: created_at
  })
  yield* store.createKey({
    id: key_id,
    account: id,
    mode: "sandbox",
    hash: keyHash(key),
    prefix: "sk_test_",
    lastFour: key.slice(-4),
    scopes: null,
    allow: [],
    expiresAt: null,
    createdAt: created_at,
    revokedAt: null,
    lastUsedAt: null
  })
  // The texts of the development server reach no person, and the CAMARA door needs them.
  yield* Effect.catchTags(OwnTexts.set(id, "own"), { BAD_REQUEST: Effect.die, NOT_FOUND: Effect.die })
})

const forwarding = Effect.fnUntraced(function* ({ credentials, forward }: Seed) {
  const settings = yield* Settings.Settings
  const endpoint = endpoints.of(credentials.webhook_id)
  if (forward === null) {
    yield* Effect.catchTag(settings.remove(null, endpoint), "NOT_FOUND", Effect.die)
    return
  }
  const secrets = [{ secret: credentials.webhook_secret, until: null }]
  yield* Effect.catchTags(
    settings.set(null, endpoint, { url: forward, events: ["*"], secrets, created_at: credentials.created_at }),
    { BAD_REQUEST: Effect.die, NOT_FOUND: Effect.die }
  )
})
