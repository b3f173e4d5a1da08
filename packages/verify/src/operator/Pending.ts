/**
 * Pending verifications of all accounts, after their database was restored from a backup.
 *
 * The backup does not know the guesses and the sends of the time since: a code that was used could be used again, and a
 * step that was taken could be taken again.
 */
import { AccountId } from "@watchword/schemas/Ids"
import { type DeliveryRow, Snapshots } from "@watchword/store/Snapshots"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Ends from "../internal/plan/Ends.ts"
import { isPending, unopened } from "../internal/plan/Plan.ts"
import * as Plans from "../internal/Plans.ts"
import { PRODUCT } from "../internal/VerificationRecord.ts"

/** How many are ended at once. */
const CONCURRENCY = 256

const REASON = "restored"

/**
 * Ends all pending verifications as `expired` with the reason `restored`, before a server works on the restored
 * database, and answers how many there were. Their numbers can be verified again at once.
 */
export const expireAll: Effect.Effect<number, StoreError, Snapshots | Store> = Effect.gen(function* () {
  const plans = yield* Plans.make
  const { take } = yield* Snapshots

  const expire = Effect.fnUntraced(function* ({ account, id, mode }: DeliveryRow) {
    if (!isAccount(account)) return false
    const found = yield* plans.find({ account, mode }, id)
    if (Option.isNone(found)) return false
    yield* plans.change(found.value, ({ plan }, at) =>
      Effect.succeed(unopened(isPending(plan) ? Ends.ended(plan, "expired", REASON, at) : plan))
    )
    return true
  })

  const { deliveries } = yield* take
  return yield* deliveries.pipe(
    Stream.filter(({ channel, status }) => channel === PRODUCT && status.name === "pending"),
    Stream.mapEffect(expire, { concurrency: CONCURRENCY }),
    Stream.filter((ended) => ended),
    Stream.runCount
  )
}).pipe(Effect.scoped)

const isAccount = Schema.is(AccountId)
