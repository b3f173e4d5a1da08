/**
 * Looks up an endpoint by only its id, as operators name it: endpoints are settings of accounts and of the
 * installation.
 */
import { NotFound } from "@watchword/schemas/Errors"
import { Settings, owners } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { endpoints, states } from "./Endpoint.ts"
import type { Found } from "./Endpoints.ts"

export const find = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<Found, NotFound | StoreError, Settings | Store> {
  const settings = yield* Settings
  for (const owner of yield* owners) {
    const endpoint = (yield* settings.all(owner, endpoints)).get(id)
    if (endpoint === undefined) continue
    return { owner, endpoint, state: (yield* settings.all(owner, states)).get(id) ?? null }
  }
  return yield* new NotFound({ message: "There is no such webhook." })
})
