/**
 * Secrets of endpoints as settings keep them: sealed under the installation's secret where there is one.
 */
import type { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { Place, Seals } from "@watchword/send/Seals"
import type { Owner } from "@watchword/settings/Settings"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Endpoint, type Secret, Secrets, endpoints } from "../Endpoint.ts"

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

/** The fields of an endpoint that keep its secrets. */
export const kept = (seals: Seals, place: Place, secrets: ReadonlyArray<Secret>) =>
  Effect.map(seals.seal(place, encode(secrets)), (sealed) => (sealed === null ? { secrets } : { secrets: [], sealed }))
