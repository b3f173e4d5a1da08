/**
 * Random histories, checked against the sum of the entries and against a model of a few lines.
 */
import { type AccountId, type DeliveryId, nextDeliveryId, nextEntryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Place } from "../../Account.ts"
import type { Phase } from "../../Delivery.ts"
import { Store } from "../../Store.ts"
import { type StoreCase, check, same } from "./Case.ts"
import { type SeededRandom, seededRandom } from "../../checks/index.ts"
import {
  AT,
  accountFor,
  balanceOf,
  closing,
  ending,
  ledgerOf,
  opening,
  prices,
  somePrices,
  receipt,
  reportOn
} from "./Fixtures.ts"

interface Known {
  readonly account: AccountId
  readonly price: number
  readonly ref: string
  phase: Phase
}

/** The money in a store. */
class Model {
  readonly available = new Map<AccountId, number>()
  readonly deliveries = new Map<DeliveryId, Known>()

  credit(account: AccountId, amount: number): void {
    this.available.set(account, (this.available.get(account) ?? 0) + amount)
  }

  debit(account: AccountId, amount: number): string {
    if ((this.available.get(account) ?? 0) < amount) return "Insufficient"
    this.credit(account, -amount)
    return "Done"
  }

  open(id: DeliveryId, account: AccountId, price: number, ref: string): string {
    if (this.deliveries.has(id)) return "Opened"
    if ((this.available.get(account) ?? 0) < price) return "Insufficient"
    this.credit(account, -price)
    this.deliveries.set(id, { account, price, ref, phase: "pending" })
    return "Opened"
  }

  end(id: DeliveryId, outcome: Phase): boolean {
    const known = this.deliveries.get(id)
    if (known === undefined || known.phase === outcome) return false
    if (known.phase !== "pending" && known.phase !== "unknown") return false
    known.phase = outcome
    if (outcome === "rejected" || outcome === "refunded") this.credit(known.account, known.price)
    return true
  }

  refund(id: DeliveryId): void {
    const known = this.deliveries.get(id)
    if (known === undefined || known.phase === "rejected" || known.phase === "refunded") return
    known.phase = "refunded"
    this.credit(known.account, known.price)
  }

  held(account: AccountId): number {
    let held = 0
    for (const known of this.deliveries.values()) {
      const open = known.phase === "pending" || known.phase === "unknown"
      if (known.account === account && open) held += known.price
    }
    return held
  }
}

const outcomes = ["accepted", "rejected", "unknown", "refunded"] as const

type Step = Effect.Effect<void, Effect.Error<ReturnType<Store["Service"]["open"]>>>

/** One random step, and the same in the model, which must say the same. */
const randomStep = (
  random: SeededRandom,
  store: Store["Service"],
  accounts: ReadonlyArray<AccountId>,
  model: Model
): Step => {
  const account = accounts[random.below(accounts.length)]
  const known = [...model.deliveries.keys()]
  const id = known[random.below(known.length)]
  const action = random.oneOf([
    "credit",
    "debit",
    "open",
    "open",
    "open",
    "open and close",
    "again",
    "close",
    "close",
    "close",
    "receipt",
    "report",
    "refund"
  ])
  if (account === undefined) return Effect.void
  if (action === "credit") {
    const amount = somePrices(1 + random.below(3))
    model.credit(account, amount)
    return Effect.asVoid(store.credit({ id: nextEntryId(AT), account, amount, at: AT }))
  }
  if (action === "debit") {
    const amount = somePrices(1 + random.below(3))
    const tag = model.debit(account, amount)
    const debit = store.debit({ id: nextEntryId(AT), account, amount, at: AT })
    // The first answer may be lost within the store.
    const done = ["Adjusted", "Repeated"]
    return Effect.map(debit, ({ _tag }) => same("debit", done.includes(_tag) ? "Done" : _tag, tag))
  }
  if (action === "open and close") {
    const [fresh, price, outcome] = [nextDeliveryId(AT), prices(random.below(4)), random.oneOf(outcomes)]
    const tag = model.open(fresh, account, price, `ref ${fresh}`)
    if (tag === "Opened") model.end(fresh, outcome)
    const close = ending(outcome, { refs: [`ref ${fresh}`] })
    return Effect.map(store.open(opening(account, { id: fresh, price }, { close })), (answer) => {
      same("open and close", answer._tag, tag)
      const left = answer._tag === "Opened" || answer._tag === "Insufficient" ? answer.available : null
      same("available", left, model.available.get(account) ?? 0)
    })
  }
  if (action === "open" || id === undefined) {
    const price = prices(random.below(4))
    const fresh = nextDeliveryId(AT)
    const tag = model.open(fresh, account, price, `ref ${fresh}`)
    return Effect.map(store.open(opening(account, { id: fresh, price })), (answer) => same("open", answer._tag, tag))
  }
  const { ref } = model.deliveries.get(id) ?? { ref: "" }
  switch (action) {
    case "again":
      return Effect.map(store.open(opening(account, { id })), (answer) => same("again", answer._tag, "Opened"))
    case "receipt": {
      // Before its close a receipt is kept unmatched; that the close replays it is settled money either way.
      const phase = model.deliveries.get(id)?.phase
      if (phase !== "unknown" && phase !== "accepted") return Effect.void
      model.end(id, "accepted")
      return Effect.asVoid(store.report(receipt([ref])))
    }
    case "report":
      return Effect.asVoid(store.report(reportOn(id)))
    case "refund":
      model.refund(id)
      return Effect.asVoid(store.report(reportOn(id, { status: null, refund: true })))
    default: {
      const outcome = random.oneOf(outcomes)
      const tag = model.end(id, outcome) ? "Closed" : "Unchanged"
      return Effect.map(store.close(closing(id, outcome, { refs: [ref] })), (answer) => same("close", answer._tag, tag))
    }
  }
}

/** What must be true of every account at every moment. */
const sound = Effect.fnUntraced(function* (account: AccountId) {
  const store = yield* Store
  const recorded = yield* balanceOf(account)
  const places: { [place in Place]: number } = { funding: 0, available: 0, held: 0, revenue: 0 }
  let lowest = 0
  for (const { amount, from, to } of yield* ledgerOf(account)) {
    places[from] -= amount
    places[to] += amount
    lowest = Math.min(lowest, places.available, places.held)
  }
  same("the lowest that a balance ever was", lowest, 0)
  same(
    "balance",
    [recorded.available, recorded.held, recorded.posted],
    [places.available, places.held, places.available + places.held]
  )
  const open = yield* Effect.forEach(["pending", "unknown"] as const, (phase) =>
    store.unresolved({ phase, createdBefore: Number.MAX_SAFE_INTEGER, abandoned: false, limit: 10_000 })
  )
  const promised = open.flat().filter((delivery) => delivery.account === account)
  same(
    "held",
    recorded.held,
    promised.reduce((sum, { price }) => sum + price, 0)
  )
})

const history = (seed: number): StoreCase =>
  check(
    `any history agrees with the model and with its ledger (seed ${seed})`,
    Effect.gen(function* () {
      const store = yield* Store
      const random = seededRandom(seed)
      const model = new Model()
      const accounts = [yield* accountFor(0), yield* accountFor(0)]
      for (let index = 0; index < 150; index++) yield* randomStep(random, store, accounts, model)
      for (const account of accounts) {
        yield* sound(account)
        const { available, held } = yield* balanceOf(account)
        same("money", [available, held], [model.available.get(account) ?? 0, model.held(account)])
      }
      for (const [id, { account, phase }] of model.deliveries) {
        const found = yield* store.find({ account, mode: "live", channel: "sms", id })
        same("phase", Option.getOrThrow(found).phase, phase)
      }
    })
  )

const tumult = (seed: number): StoreCase =>
  check(
    `any steps at once leave every ledger sound (seed ${seed})`,
    Effect.gen(function* () {
      const store = yield* Store
      const random = seededRandom(seed)
      const accounts = [yield* accountFor(20), yield* accountFor(5)]
      const ids = Array.from({ length: 40 }, () => nextDeliveryId(AT))
      const step = (): Step => {
        const index = random.below(ids.length)
        const id = ids[index] ?? nextDeliveryId(AT)
        const account = accounts[index % 2]
        if (account === undefined) return Effect.void
        const refs = [`ref ${index}`]
        switch (random.below(6)) {
          case 0:
            return Effect.asVoid(store.open(opening(account, { id, price: prices(random.below(3)), reference: index })))
          case 1:
            return Effect.asVoid(
              store.close(closing(id, random.oneOf(["accepted", "rejected", "unknown"] as const), { refs }))
            )
          case 2:
            return Effect.asVoid(store.report(receipt(refs)))
          case 3:
            return Effect.asVoid(store.report(receipt(refs, { refund: true })))
          case 4: {
            const close = ending(random.oneOf(outcomes), { refs })
            const fields = { id, price: prices(random.below(3)), reference: index }
            return Effect.asVoid(store.open(opening(account, fields, { close })))
          }
          default:
            return Effect.asVoid(store.report(receipt(refs, { message: { to: "+4915123456789", reference: index } })))
        }
      }
      for (let round = 0; round < 8; round++) {
        const steps = Array.from({ length: 60 }, step)
        yield* Effect.forEach(steps, (each) => each, { concurrency: "unbounded", discard: true })
        for (const account of accounts) yield* sound(account)
      }
    })
  )

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

// The order in which steps at once are taken differs from run to run: fewer seeds try as many orders.
export const histories = [...seeds.map(history), ...seeds.slice(0, 4).map(tumult)]
