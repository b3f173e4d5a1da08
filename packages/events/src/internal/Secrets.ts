/**
 * Secrets of endpoints as settings keep them: sealed under the installation's secret where there is one.
 */
import type { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { Place, Seals } from "@watchword/send/pipeline"
import type { Owner } from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Endpoint, type Secret, Secrets, endpoints } from "./Endpoint.ts"

const json = Schema.fromJsonString(Secrets)
const decode = Schema.decodeEffect(json)
const encode = Schema.encodeSync(json)

export const placeOf = (owner: Owner, id: string): Place => ({ owner, name: endpoints.of(id).name })

/** The secrets of an endpoint, newest first. */
export const opened = (
  seals: Seals,
  place: Place,
  { sealed, secrets }: Endpoint
): Effect.Effect<ReadonlyArray<Secret>, ServiceUnavailable> =>
  sealed === undefined
    ? Effect.succeed(secrets)
    : Effect.flatMap(seals.open(place, sealed), (text) => Effect.orDie(decode(text)))

/** Opens the secrets of an endpoint once for each value of its setting, which is read again when it has changed. */
export const opening = (seals: Seals) => {
  const known = new WeakMap<Endpoint, { readonly place: string; readonly secrets: ReadonlyArray<Secret> }>()
  return (owner: Owner, id: string, endpoint: Endpoint): Effect.Effect<ReadonlyArray<Secret>, ServiceUnavailable> => {
    // A sealed text opens only at its place, even if another setting has the same text.
    const place = `${owner} ${id}`
    const found = known.get(endpoint)
    if (found?.place === place) return Effect.succeed(found.secrets)
    return Effect.tap(opened(seals, placeOf(owner, id), endpoint), (secrets) =>
      Effect.sync(() => known.set(endpoint, { place, secrets }))
    )
  }
}

/** The fields of an endpoint that keep its secrets. */
export const kept = (seals: Seals, place: Place, secrets: ReadonlyArray<Secret>) =>
  Effect.map(seals.seal(place, encode(secrets)), (sealed) => (sealed === null ? { secrets } : { secrets: [], sealed }))
