/**
 * Phones that answer by themselves (`auto`) also act by themselves: a second after a verification has begun to wait for
 * their user, they follow the first instruction that they can follow. Each form is tried once.
 *
 * The process that took the step lets the phone act; if it dies before, the next process to start does.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import { RECEIVE } from "@watchword/schemas/Verification"
import type { PhoneSettings } from "@watchword/schemas/SandboxPhone"
import type { AccountId } from "@watchword/schemas/Ids"
import { EventHub } from "@watchword/send/gateway"
import { type DeliveryChange, DeliveryChanges, isOfSandbox } from "@watchword/send/pipeline"
import { type Instruction, Receiving } from "@watchword/send/channel/Receiving"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { format as verification } from "@watchword/verify/Format"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as CatchUp from "../simulator/CatchUp.ts"
import * as LaterEvents from "../simulator/LaterEvents.ts"
import { finder } from "../simulator/Receptions.ts"
import type { UserActs } from "./UserActs.ts"

export interface AutoActs {
  /** Has a phone act for the verifications that wait for its user: its settings have changed. */
  readonly resume: (account: AccountId, number: string) => Effect.Effect<void, StoreError>
  /** Has phones act whose process has died. */
  readonly catchUp: Effect.Effect<void, StoreError>
}

/** How long a verification may be pending. */
const LONGEST = "1 hour"

const PENDING = "pending"

/** How many verifications of a number are looked at. */
const MOST = 100

export const make = Effect.fnUntraced(function* (
  acts: UserActs
): Effect.fn.Return<AutoActs, never, DeliveryChanges | Scope | Settings | Store> {
  const receiving = yield* Receiving
  const store = yield* Store
  const phoneOf = yield* finder
  const { product } = verification

  const act = Effect.fnUntraced(function* ({ account, id, to }: Delivery) {
    const phone = yield* phoneOf(account, to)
    if (!isActive(phone) || !isE164(to)) return
    const found = yield* store.find({ account, mode: "sandbox", channel: product, id })
    if (Option.isNone(found)) return
    const tried = new Set(verification.toWire(found.value).received?.map(({ by }) => by))
    const instructions = yield* receiving.instructions(found.value)
    const next = instructions.find((each) => !tried.has(each.shown.by) && canFollow(phone, each))
    if (next !== undefined) yield* acts.follow(account, to, next)
  })

  const hub = new EventHub<Delivery, StoreError>()
  yield* hub.subscribe(act)
  const later = yield* LaterEvents.make<Delivery>({
    publish: (waiting) => hub.publish(waiting),
    offer: (waiting, done) => hub.offer(waiting, done)
  })

  const resumeOne = (waiting: Delivery) =>
    Effect.flatMapEager(phoneOf(waiting.account, waiting.to), (phone) =>
      isActive(phone) ? later.publish([waiting]) : Effect.void
    )

  yield* (yield* DeliveryChanges).onChange(
    (change): change is DeliveryChange => isOfSandbox(change) && isWaiting(change.delivery),
    // Settings of phones are up to a second old: whether this one acts is asked when it is time.
    ({ delivery }) => later.publish([delivery])
  )

  const catchUp = yield* CatchUp.keep({ product, statuses: [PENDING], within: LONGEST, resume: resumeOne })

  return {
    catchUp,
    resume: Effect.fnUntraced(function* (account, number) {
      const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(LONGEST)
      const { rows } = yield* store.list({
        account,
        mode: "sandbox",
        channel: product,
        where: [
          { _tag: "Range", field: "createdAt", gte: since },
          { _tag: "In", field: "to", values: [number] }
        ],
        sort: { field: "createdAt", direction: "DESC" },
        offset: 0,
        limit: MOST
      })
      for (const waiting of rows.filter(isWaiting)) yield* resumeOne(waiting)
    })
  }
})

const isE164 = Schema.is(E164)

/** Whether a verification waits for its user. */
const isWaiting = ({ channel, details, status }: Delivery): boolean =>
  channel === verification.product && status.name === PENDING && details["channel"] === RECEIVE

const isActive = (phone: PhoneSettings | null): phone is PhoneSettings => phone?.mode === "auto" && !phone.offline

const canFollow = ({ bizchat, chatgw }: PhoneSettings, { shown: { by } }: Instruction): boolean => {
  if (by === "bizchat") return bizchat !== "none"
  return by !== "telegram_login" || chatgw
}
