/**
 * Verifications of all accounts, by their ids, for operators.
 */
import { Conflict, NotFound } from "@watchword/schemas/Errors"
import { timeOfUlid } from "@watchword/schemas/Ids"
import type { VerificationId } from "@watchword/schemas/Verification"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ends from "../internal/plan/Ends.ts"
import { unopened } from "../internal/plan/Plan.ts"
import * as Plans from "../internal/Plans.ts"
import { toId } from "../internal/VerificationFormat.ts"
import { PRODUCT, read } from "../internal/VerificationRecord.ts"

/** The most records of one millisecond that are looked at. */
const REACH = 10_000

/** The record of a verification. */
export const find = Effect.fnUntraced(function* (
  id: VerificationId
): Effect.fn.Return<Delivery, NotFound | StoreError, Store> {
  const { newestDeliveries } = yield* Store
  const known = Option.getOrNull(toId(id))
  if (known === null) return yield* none()
  const at = timeOfUlid(known)
  const { rows } = yield* newestDeliveries({
    since: at,
    until: at + 1,
    before: null,
    account: null,
    mode: null,
    channels: [PRODUCT],
    where: [{ _tag: "In", field: "id", values: [known] }],
    limit: 1,
    reach: REACH,
    many: false
  })
  return rows[0] ?? (yield* none())
})

/**
 * Ends a pending verification as `canceled`, and answers its record. A server revokes its messages within half a
 * minute. An ended verification stays as it is.
 */
export const cancel = Effect.fnUntraced(function* (
  id: VerificationId
): Effect.fn.Return<Delivery, Conflict | NotFound | StoreError, Store> {
  const delivery = yield* find(id)
  const plans = yield* Plans.make
  const after = yield* plans.change(read(delivery), ({ plan }, at) =>
    Effect.succeed(unopened(Ends.canceled(Ends.expired(plan, at), at)))
  )
  if (after.stored.plan.status !== "approved") return after.stored.delivery
  return yield* new Conflict({ message: "This verification is approved.", reason: "approved" })
})

const none = () => new NotFound({ message: "There is no such verification." })
