/**
 * The steps of a send. Each looks up the facts that the step engine requests, and applies the changes that it decides
 * on, within the transaction of the batch.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import type {
  AccountState,
  Changes,
  Decision,
  HeldClaim,
  NewRecord,
  Part,
  Snapshot,
  Unmatched as Report
} from "@watchword/store/step"
import { type Partitions, tenantOf } from "@watchword/store/sql"
import type { AccountNumbers } from "./AccountNumbers.ts"
import type { Batch } from "./Batch.ts"
import type { Claims } from "./Claims.ts"
import type { Deliveries, Stored } from "./Deliveries.ts"
import type { Events } from "./Events.ts"
import type { Parts } from "./Parts.ts"
import type { Unmatched } from "./Unmatched.ts"

export interface Tables {
  readonly partitions: Partitions
  readonly accounts: AccountNumbers
  readonly deliveries: Deliveries
  readonly parts: Parts
  readonly claims: Claims
  readonly unmatched: Unmatched
  readonly events: Events
}

/** Runs a step: either all of it happens, or it throws and the transaction is rolled back. */
export const make =
  (tables: Tables) =>
  <Answer>(batch: Batch, decide: (snapshot: Snapshot) => Decision<Answer>): Answer => {
    const rows = new Rows(tables, batch)
    const { answer, changes } = decide(rows)
    rows.apply(changes)
    return answer
  }

/** The rows of one step: the rows that it has looked up, and the methods that write its changes. */
class Rows implements Snapshot {
  readonly #tables: Tables
  readonly #batch: Batch
  readonly #stored = new Map<DeliveryId, Stored>()

  constructor(tables: Tables, batch: Batch) {
    this.#tables = tables
    this.#batch = batch
  }

  account(id: AccountId): AccountState | undefined {
    const n = this.#tables.accounts.numberOf(id)
    return n === undefined ? undefined : this.#batch.account(n)
  }

  delivery(id: DeliveryId): Delivery | undefined {
    const stored = this.#stored.get(id) ?? this.#tables.deliveries.byId(id)
    return stored && this.#found(stored)
  }

  claim(account: AccountId, mode: Mode, key: string): HeldClaim | undefined {
    const n = this.#tables.accounts.numberOf(account)
    return n === undefined ? undefined : this.#tables.claims.find(tenantOf(n, mode), key)
  }

  part(channel: Product, ref: string): Part | undefined {
    const found = this.#tables.parts.find(channel, ref)
    return found && { delivery: this.#found(found.stored).id, name: found.name }
  }

  referable(channel: Product, to: string, reference: number): ReadonlyArray<Delivery> {
    return this.#tables.deliveries.referable(channel, to, reference).map((stored) => this.#found(stored))
  }

  unmatched(channel: Product, refs: ReadonlyArray<string>): ReadonlyArray<Report> {
    return this.#tables.unmatched.find(channel, refs)
  }

  reporters(delivery: DeliveryId, status: string): ReadonlyArray<string> {
    // A record that the step opens has no row yet, and no part that has reported.
    const stored = this.#stored.get(delivery)
    return stored === undefined ? [] : this.#tables.parts.reporters(stored.n, status)
  }

  #found(stored: Stored): Delivery {
    this.#stored.set(stored.delivery.id, stored)
    return stored.delivery
  }

  #rowOf(id: DeliveryId): Stored {
    const stored = this.#stored.get(id)
    if (stored === undefined) throw new Error(`the delivery ${id} was changed before it was looked up`)
    return stored
  }

  apply({ complete, events, opened, parts, postings, replayed, reported, unmatched, updated }: Changes): void {
    const tables = this.#tables
    for (const record of opened) this.#open(record)
    for (const { after, before } of updated) this.#update(before, after)
    for (const { at, delivery, kind } of postings) {
      const { partition, n } = this.#rowOf(delivery.id)
      const amount = delivery.price
      this.#batch.post({
        account: tables.partitions.accountIn(partition),
        kind,
        amount,
        delivery: n,
        id: null,
        reason: null,
        at
      })
    }
    for (const { channel, delivery, name, ref } of parts) tables.parts.put(channel, ref, this.#rowOf(delivery).n, name)
    for (const { delivery, part, status } of reported) tables.parts.report(this.#rowOf(delivery).n, status, part)
    for (const { delivery, status } of complete) tables.parts.complete(this.#rowOf(delivery).n, status)
    if (unmatched !== null) tables.unmatched.keep(unmatched)
    for (const report of replayed) tables.unmatched.remove(report)
    tables.events.append(events)
  }

  #open({ claims, delivery, owner }: NewRecord): void {
    const { account, channel, id, mode } = delivery
    const owned = this.#tables.accounts.numberOf(account)
    if (owned === undefined) throw new Error(`the account ${account} does not exist`)
    const partition = this.#tables.partitions.partitionOf(owned, mode, channel)
    const stored = this.#tables.deliveries.insert(partition, delivery, owner)
    this.#stored.set(id, stored)
    for (const claim of claims) this.#tables.claims.take(tenantOf(owned, mode), claim, stored.n)
    this.#batch.count(partition, null, delivery)
  }

  #update(before: Delivery, after: Delivery): void {
    const stored = this.#rowOf(before.id)
    this.#tables.deliveries.update(stored, after)
    this.#batch.count(stored.partition, before, after)
  }
}
