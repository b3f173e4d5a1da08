/**
 * Repeats of requests that change a verification which is there already: each is known by its `Idempotency-Key`, and
 * kept with the verification in the same write as the change.
 */
import { type Conflict, keyReused } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Claims } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"

/** A request as a record keeps it: digests of its key, and of its key with its content. */
export interface Kept {
  readonly key: string
  readonly content: string
}

/** The same digests under each secret of the installation, that of the first one first. */
export interface Request {
  readonly key: ReadonlyArray<string>
  readonly content: ReadonlyArray<string>
}

/** Null for a request without a key, which does not repeat any other. */
export const requestOf = (
  { digests }: Claims,
  operation: string,
  id: DeliveryId,
  key: string | null,
  content: string
): Request | null =>
  key === null ? null : { key: digests(operation, id, key), content: digests(operation, id, key, content) }

export const keptOf = ({ content: [content = ""], key: [key = ""] }: Request): Kept => ({ key, content })

/**
 * The stored result of a request; null if it is the first under its key. A conflict where its content is another one.
 */
export const find = <K extends Kept>(
  kept: ReadonlyArray<K>,
  request: Request | null
): Effect.Effect<K | null, Conflict> => {
  const found = request === null ? undefined : kept.find(({ key }) => request.key.includes(key))
  if (found === undefined || request === null) return Effect.succeed(null)
  return request.content.includes(found.content) ? Effect.succeed(found) : Effect.fail(keyReused())
}
