import { AccountId, DeliveryId, EntryId, ProcessId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import type { Status } from "@watchword/store/Delivery"
import * as Tables from "../../src/internal/memory/Tables.ts"
import type { Close, Open, Report } from "@watchword/store/Store"
import * as fc from "fast-check"
import { someAccount } from "../../../../test/accounts.ts"

export type AnyStep =
  | { readonly _tag: "Open"; readonly request: Open }
  | { readonly _tag: "Close"; readonly request: Close }
  | { readonly _tag: "Report"; readonly request: Report }

export const accounts = [0, 1].map((n) => AccountId.make(`acc_01KAJ3T8ZZ000000000000000${n}`))
export const ids = [0, 1, 2, 3, 4, 5].map((n) => DeliveryId.make(`01KAJ3T8ZZ000000000000000${n}`))
export const owner = ProcessId.make("01KAJ3T8ZZ0000000000000000")
export const [begun, sent, delivered, failed] = [
  { name: "begun", rank: 0 },
  { name: "sent", rank: 1 },
  { name: "delivered", rank: 2 },
  { name: "failed", rank: 2 }
] as const satisfies ReadonlyArray<Status>
export const statuses = [begun, sent, delivered, failed]

/** Tables with two accounts, each with money for a few sends. */
export const funded = (amount: number): ReturnType<typeof Tables.make> => {
  const tables = Tables.make(nextEntryId)
  for (const [n, id] of accounts.entries()) {
    tables.accounts.create(someAccount({ id }))
    if (amount > 0) {
      const credit = EntryId.make(`01KAJ3T8ZZ000000000000000${n}`)
      tables.accounts.adjust("credit", { id: credit, account: id, amount: PositiveMicroEuros.make(amount), at: 0 })
    }
  }
  return tables
}

const id = fc.constantFrom(...ids)
const ref = fc.constantFrom("a", "b", "c", "d")
const refs = fc.array(ref, { maxLength: 3 })
const to = fc.constantFrom("+4915123456789", "+4915129876543")
const reference = fc.constantFrom(1, 2)
const status = fc.constantFrom(...statuses)
const at = fc.nat({ max: 5 })
const details = fc.constantFrom({}, { a: 1 }, { a: 2, b: null })

const ending = fc.record({
  outcome: fc.constantFrom("accepted" as const, "rejected" as const, "unknown" as const, "refunded" as const),
  status,
  refs,
  details
})

const claim = fc.record({
  key: fc.constantFrom("x", "y"),
  fingerprint: fc.constantFrom("1", "2"),
  heldUntil: fc.constantFrom("expiry" as const, "rejection" as const, "end" as const),
  expiresAt: at
})

const delivery = fc.record({
  id,
  account: fc.constantFrom(...accounts),
  mode: fc.constantFrom("live" as const, "sandbox" as const),
  channel: fc.constantFrom("sms" as const, "bizchat" as const),
  to,
  from: fc.constant(null),
  status: fc.constant(begun),
  price: fc.constantFrom(0, 1, 2).map((price) => MicroEuros.make(price)),
  parts: fc.constantFrom(1, 2),
  reference: fc.option(reference),
  dueAt: fc.option(at),
  details
})

const endpoints = fc.constantFrom(["one"], ["one", "two"])

const watch = fc.oneof(
  fc.record({ endpoints }),
  fc.record({
    endpoints: fc.constant([]),
    balanceLow: fc.record({ threshold: fc.nat({ max: 3 }).map((amount) => MicroEuros.make(amount)), endpoints })
  })
)

const open = fc.record({
  delivery,
  claims: fc.uniqueArray(claim, { maxLength: 2, selector: ({ key }) => key }),
  owner: fc.constant(owner),
  close: fc.option(ending, { nil: undefined }),
  watch: fc.option(watch, { nil: undefined }),
  at
})

const close = fc.tuple(id, ending, at).map(([id, ending, at]): Close => ({ ...ending, id, at }))

const report = fc.record({
  target: fc.oneof(
    fc.record({ _tag: fc.constant("Delivery" as const), id }),
    fc.record({
      _tag: fc.constant("Part" as const),
      channel: fc.constantFrom("sms" as const, "bizchat" as const),
      refs: fc.uniqueArray(ref, { minLength: 1, maxLength: 2 }),
      message: fc.record({ to: fc.option(to), reference: fc.option(reference) })
    })
  ),
  status: fc.option(status),
  when: fc.constantFrom({}, { a: 1 }),
  details,
  everyPart: fc.boolean(),
  refund: fc.boolean(),
  dueAt: fc.option(at),
  note: fc.option(fc.constant({ name: "noted", data: { n: 1 } }), { nil: undefined }),
  at
})

/** Any steps on the few deliveries, refs, claims and numbers above, so that they meet each other. */
export const anySteps: fc.Arbitrary<ReadonlyArray<AnyStep>> = fc.array(
  fc.oneof(
    open.map(({ close, watch, ...rest }): AnyStep => ({
      _tag: "Open",
      request: { ...rest, ...(close ? { close } : {}), ...(watch ? { watch } : {}) }
    })),
    close.map((request): AnyStep => ({ _tag: "Close", request })),
    report.map(({ note, ...rest }): AnyStep => ({
      _tag: "Report",
      request: note === undefined ? rest : { ...rest, note }
    }))
  ),
  { minLength: 1, maxLength: 40 }
)
