/**
 * Money of accounts, for operators of the service: credits, debits, balances, entries and an audit.
 *
 * Holds, settlements and releases are not here: they happen inside the store's `open`, `close` and
 * `report`, in one step with the delivery they pay for.
 */
import { BadRequest, Conflict, type Issue, NotFound, PaymentRequired } from "@watchword/schemas/Errors"
import { type AccountId, EntryId, nextEntryId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros, toEuros, zero } from "@watchword/schemas/Money"
import { type Balance, type Entry, type Place, balanceOf } from "@watchword/store/Account"
import type { Adjusted as Answer } from "@watchword/store/step"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** The sum of the entries, for comparison with the recorded balance. They agree unless the store is broken. */
export interface Audit {
  readonly recorded: Balance
  readonly fromEntries: Balance
  readonly agrees: boolean
}

/** An operator's note on a credit or a debit. */
export interface Note {
  /**
   * Any text of 1 to 100 characters, such as the number of an invoice. The same credit or debit again under the same id
   * changes nothing, so one whose answer was lost can be repeated.
   */
  readonly id?: string | undefined
  /** 1 to 200 characters. */
  readonly reason?: string | undefined
}

/** The balance after a credit or a debit. */
export interface Adjusted {
  readonly balance: Balance
  /** Whether the entry was written before. */
  readonly repeated: boolean
}

export interface Service {
  /**
   * Adds money to an account. Fails with `BadRequest` when the amount is not positive or a note is not valid, with
   * `NotFound` for an unknown account, with `Conflict` for an id that has another account, kind or amount.
   */
  readonly credit: (
    account: AccountId,
    amount: MicroEuros,
    note?: Note
  ) => Effect.Effect<Adjusted, BadRequest | NotFound | Conflict | StoreError>

  /** Takes money from an account. Fails as `credit` does, and with `PaymentRequired` when less is available. */
  readonly debit: (
    account: AccountId,
    amount: MicroEuros,
    note: Note & { readonly reason: string }
  ) => Effect.Effect<Adjusted, BadRequest | NotFound | Conflict | PaymentRequired | StoreError>

  readonly balance: (account: AccountId) => Effect.Effect<Balance, NotFound | StoreError>

  /** Every entry of an account, oldest first. */
  readonly entries: (account: AccountId) => Stream.Stream<Entry, StoreError>

  /** The newest entries of an account, the newest first. */
  readonly newestEntries: (account: AccountId, limit: number) => Effect.Effect<ReadonlyArray<Entry>, StoreError>

  /** Adds up the entries of an account and compares the sum with its balance. Meant for a quiet account. */
  readonly audit: (account: AccountId) => Effect.Effect<Audit, NotFound | StoreError>
}

/**
 * @example
 * ```ts
 * import { Ledger, layer } from "@watchword/ledger/Ledger"
 * import { AccountId } from "@watchword/schemas/Ids"
 * import { memory } from "@watchword/store/MemoryStore"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const program = Ledger.use((ledger) => ledger.balance(AccountId.make("acc_01KAJ3T8ZZ0000000000000000")))
 * program.pipe(Effect.provide(layer.pipe(Layer.provide(memory()))))
 * ```
 */
export class Ledger extends Context.Service<Ledger, Service>()("@watchword/ledger/Ledger") {}

const PAGE = 1000

const Reason = Schema.String.check(Schema.isPattern(/^(?=.*\S)[^\p{Cc}\p{Surrogate}]{1,200}$/u))

const noAccount = () => new NotFound({ message: "There is no such account." })

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const adjustment = Effect.fnUntraced(function* (account: AccountId, amount: MicroEuros, note: Note) {
    const issues = issuesOf(amount, note)
    if (!isPositive(amount) || issues.length > 0) {
      return yield* new BadRequest({ message: "The change of the balance is not valid.", issues })
    }
    const at = yield* Clock.currentTimeMillis
    const { id, reason = null } = note
    return { id: id === undefined ? nextEntryId(at) : EntryId.make(id), account, amount, reason, at }
  })

  const credit: Service["credit"] = Effect.fnUntraced(function* (account, amount, note = {}) {
    const answer = yield* store.credit(yield* adjustment(account, amount, note))
    if (answer._tag === "Insufficient") return yield* Effect.die(new Error("a credit cannot be too large"))
    return yield* adjusted(answer)
  })

  const debit: Service["debit"] = Effect.fnUntraced(function* (account, amount, note) {
    const answer = yield* store.debit(yield* adjustment(account, amount, note))
    if (answer._tag !== "Insufficient") return yield* adjusted(answer)
    const available = toEuros(answer.balance.available)
    return yield* new PaymentRequired({
      message: `The account has only ${available} EUR available; nothing was debited.`
    })
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

  const newestEntries: Service["newestEntries"] = (account, limit) =>
    store.entries({ account, after: null, limit, newestFirst: true })

  const audit = Effect.fnUntraced(function* (account: AccountId) {
    const fromEntries = yield* Stream.runFold(entries(account), () => balanceOf(zero, zero), added)
    const recorded = yield* balance(account)
    return {
      recorded,
      fromEntries,
      agrees: recorded.available === fromEntries.available && recorded.held === fromEntries.held
    }
  })

  return Ledger.of({ credit, debit, balance, entries, newestEntries, audit })
})

const adjusted = (
  answer: Exclude<Answer, { readonly _tag: "Insufficient" }>
): Effect.Effect<Adjusted, NotFound | Conflict> => {
  switch (answer._tag) {
    case "Adjusted":
    case "Repeated":
      return Effect.succeed({ balance: answer.balance, repeated: answer._tag === "Repeated" })
    case "Contradicted":
      return Effect.fail(
        new Conflict({ message: "This id was given to another amount or another account.", reason: "id_reused" })
      )
    case "NoAccount":
      return Effect.fail(noAccount())
  }
}

const isPositive = Schema.is(PositiveMicroEuros)
const isEntryId = Schema.is(EntryId)
const isReason = Schema.is(Reason)

const issuesOf = (amount: MicroEuros, { id, reason }: Note): ReadonlyArray<Issue> => [
  ...(isPositive(amount) ? [] : [{ path: "amount", message: "must be more than 0" }]),
  ...(id === undefined || isEntryId(id) ? [] : [{ path: "id", message: text(100) }]),
  ...(reason === undefined || isReason(reason) ? [] : [{ path: "reason", message: text(200) }])
]

const text = (most: number): string => `must have 1 to ${most} characters and no control characters`

// By the places that the entry itself names, so that an audit does not rest on the rules it checks.
const added = (balance: Balance, entry: Entry): Balance => {
  const change = (place: Place) => (entry.to === place ? entry.amount : 0) - (entry.from === place ? entry.amount : 0)
  return balanceOf(
    MicroEuros.make(balance.available + change("available")),
    MicroEuros.make(balance.held + change("held"))
  )
}

export const layer: Layer.Layer<Ledger, never, Store> = Layer.effect(Ledger, make)
