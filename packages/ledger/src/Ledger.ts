/**
 * Money of accounts, for operators of the service: credits, balances, entries and an audit.
 *
 * Holds, settlements and releases are not here: they happen inside the store's `open`, `close` and
 * `report`, in one step with the delivery they pay for.
 */
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import { type AccountId, type EntryId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros, zero } from "@watchword/schemas/Money"
import type { Balance, Entry, Place } from "@watchword/store/Account"
import * as Postings from "@watchword/store/Postings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** The sum of the entries beside the recorded balance. They agree unless the store is broken. */
export interface Audit {
  readonly recorded: Balance
  readonly fromEntries: Balance
  readonly agrees: boolean
}

export interface Service {
  /**
   * Adds money to an account. Pass an `id` to be able to repeat a credit whose answer was lost.
   * Fails with `BadRequest` when the amount is not positive, with `NotFound` for an unknown account.
   */
  readonly credit: (
    account: AccountId,
    amount: MicroEuros,
    id?: EntryId
  ) => Effect.Effect<Balance, BadRequest | NotFound | StoreError>

  readonly balance: (account: AccountId) => Effect.Effect<Balance, NotFound | StoreError>

  /** Every entry of an account, oldest first. */
  readonly entries: (account: AccountId) => Stream.Stream<Entry, StoreError>

  /** Adds up the entries of an account and compares the sum with its balance. Meant for a quiet account. */
  readonly audit: (account: AccountId) => Effect.Effect<Audit, NotFound | StoreError>
}

/**
 * @example
 * ```ts
 * import { Ledger, layer } from "@watchword/ledger/Ledger"
 * import { AccountId } from "@watchword/schemas/Ids"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Ledger.use((ledger) => ledger.balance(AccountId.make("acc_01KAJ3T8ZZ0000000000000000")))
 * program.pipe(Effect.provide(layer.pipe(Layer.provide(MemoryStore.layer))))
 * ```
 */
export class Ledger extends Context.Service<Ledger, Service>()("@watchword/ledger/Ledger") {}

const PAGE = 1000

const noAccount = () => new NotFound({ message: "There is no such account." })

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const credit = Effect.fnUntraced(function* (account: AccountId, amount: MicroEuros, id?: EntryId) {
    if (amount <= 0) {
      return yield* new BadRequest({
        message: "The amount is not valid.",
        issues: [{ path: "amount", message: "must be more than 0" }]
      })
    }
    const at = yield* Clock.currentTimeMillis
    const balance = yield* store.credit({ id: id ?? nextEntryId(at), account, amount, at })
    return yield* Effect.fromOption(balance).pipe(Effect.mapError(noAccount))
  })

  const balance = Effect.fnUntraced(function* (account: AccountId) {
    const found = yield* store.account(account)
    return yield* Effect.fromOption(Option.map(found, (row) => row.balance)).pipe(Effect.mapError(noAccount))
  })

  const entries = (account: AccountId): Stream.Stream<Entry, StoreError> =>
    Stream.paginate<EntryId | null, Entry, StoreError>(null, (after) =>
      Effect.map(
        store.entries({ account, after, limit: PAGE }),
        (page) => [page, page.length < PAGE ? Option.none() : Option.fromUndefinedOr(page.at(-1)?.id)] as const
      )
    )

  const audit = Effect.fnUntraced(function* (account: AccountId) {
    const fromEntries = yield* Stream.runFold(entries(account), () => Postings.balance(zero, zero), added)
    const recorded = yield* balance(account)
    return {
      recorded,
      fromEntries,
      agrees: recorded.available === fromEntries.available && recorded.held === fromEntries.held
    }
  })

  return Ledger.of({ credit, balance, entries, audit })
})

// By the places that the entry itself names, so that an audit does not rest on the rules it checks.
const added = (balance: Balance, entry: Entry): Balance => {
  const change = (place: Place) => (entry.to === place ? entry.amount : 0) - (entry.from === place ? entry.amount : 0)
  return Postings.balance(
    MicroEuros.make(balance.available + change("available")),
    MicroEuros.make(balance.held + change("held"))
  )
}

export const layer: Layer.Layer<Ledger, never, Store> = Layer.effect(Ledger, make)
