/**
 * The working copy of a step: a snapshot, and over it what the step has changed so far.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import type { Balance, EntryKind } from "../../Account.ts"
import type { Delivery } from "../../Delivery.ts"
import * as Postings from "../../Postings.ts"
import type { Claim } from "../../Requests.ts"
import { type Transition, isReferable } from "../../Transitions.ts"
import type { Changes, NamedPart, PartStatus, Posting } from "../../step/Changes.ts"
import type { Part, PartReport, Snapshot, Unmatched } from "../../step/Snapshot.ts"

interface Row {
  /** Null for the record that the step opens. */
  readonly before: Delivery | null
  after: Delivery
}

export class Draft {
  readonly #snapshot: Snapshot
  readonly #rows = new Map<DeliveryId, Row>()
  #opened: { readonly id: DeliveryId; readonly owner: ProcessId; readonly claims: ReadonlyArray<Claim> } | null = null
  readonly #postings: Array<Posting> = []
  readonly #parts: Array<NamedPart> = []
  readonly #reported: Array<PartStatus> = []
  readonly #complete: Array<Omit<PartStatus, "part">> = []
  #unmatched: PartReport | null = null
  #replayed: ReadonlyArray<Unmatched> = []

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  delivery(id: DeliveryId): Delivery | undefined {
    const known = this.#rows.get(id)
    if (known !== undefined) return known.after
    const found = this.#snapshot.delivery(id)
    if (found !== undefined) this.#rows.set(id, { before: found, after: found })
    return found
  }

  part(channel: Product, ref: string): Part | undefined {
    const named = this.#parts.findLast((part) => part.ref === ref && part.channel === channel)
    return named ?? this.#snapshot.part(channel, ref)
  }

  /** The referable delivery with a number and a reference, if there is exactly one. */
  onlyReferable(channel: Product, to: string, reference: number): Delivery | undefined {
    const known = new Map(this.#snapshot.referable(channel, to, reference).map((delivery) => [delivery.id, delivery]))
    for (const [id, { after }] of this.#rows) known.set(id, after)
    const [only, ...others] = [...known.values()].filter(
      (delivery) =>
        isReferable(delivery) && delivery.channel === channel && delivery.to === to && delivery.reference === reference
    )
    return only !== undefined && others.length === 0 ? this.delivery(only.id) : undefined
  }

  unmatched(channel: Product, refs: ReadonlyArray<string>): ReadonlyArray<Unmatched> {
    return refs.length === 0 ? [] : this.#snapshot.unmatched(channel, refs)
  }

  /** The money of an account with the postings of this step. */
  available(account: AccountId): MicroEuros {
    const owner = this.#snapshot.account(account)
    if (owner === undefined) throw new Error(`the account ${account} of a delivery does not exist`)
    return this.#postings.filter(({ delivery }) => delivery.account === account).reduce(posted, owner.balance).available
  }

  /** Writes a new record and holds its price. */
  open(delivery: Delivery, owner: ProcessId, claims: ReadonlyArray<Claim>, at: number): void {
    this.#opened = { id: delivery.id, owner, claims }
    this.#rows.set(delivery.id, { before: null, after: delivery })
    this.#post(delivery, "hold", at)
  }

  /** Writes the outcome of a transition, and moves the price. */
  write({ delivery, posting }: Transition, at: number): Delivery {
    this.#rowOf(delivery.id).after = delivery
    if (posting !== null) this.#post(delivery, posting, at)
    return delivery
  }

  #rowOf(id: DeliveryId): Row {
    const row = this.#rows.get(id)
    if (row === undefined) throw new Error(`the delivery ${id} was written before it was read`)
    return row
  }

  #post(delivery: Delivery, kind: EntryKind, at: number): void {
    if (delivery.price > 0) this.#postings.push({ delivery, kind, at })
  }

  /** Lets refs belong to a part that had none. */
  name({ channel, id: delivery }: Delivery, [name, ...spellings]: readonly [string, ...ReadonlyArray<string>]): Part {
    const row = this.#rowOf(delivery)
    row.after = { ...row.after, named: row.after.named + 1 }
    for (const ref of [name, ...spellings]) this.#parts.push({ channel, ref, delivery, name })
    return { delivery, name }
  }

  /** Notes that a part has reported a status; true when all parts have. */
  isComplete({ delivery, name }: Part, status: string, parts: number): boolean {
    if (parts <= 1) return true
    const reporters = new Set(this.#snapshot.reporters(delivery, status))
    for (const each of this.#reported)
      if (each.delivery === delivery && each.status === status) reporters.add(each.part)
    if (!reporters.has(name)) this.#reported.push({ delivery, status, part: name })
    if (reporters.add(name).size < parts) return false
    this.#complete.push({ delivery, status })
    return true
  }

  keep(report: PartReport): void {
    this.#unmatched = report
  }

  replay(reports: ReadonlyArray<Unmatched>): void {
    this.#replayed = reports
  }

  changes(): Changes {
    const opened = this.#opened
    const updated: Array<{ readonly before: Delivery; readonly after: Delivery }> = []
    for (const { after, before } of this.#rows.values()) {
      if (before !== null && before !== after) updated.push({ before, after })
    }
    const delivery = opened && this.#rows.get(opened.id)?.after
    return {
      opened: opened && delivery ? { delivery, owner: opened.owner, claims: opened.claims } : null,
      updated,
      postings: this.#postings,
      parts: this.#parts,
      reported: this.#reported,
      complete: this.#complete,
      unmatched: this.#unmatched,
      replayed: this.#replayed
    }
  }
}

const posted = (balance: Balance, { delivery, kind }: Posting): Balance =>
  Option.getOrThrowWith(
    Postings.post(balance, kind, delivery.price),
    () => new Error(`the account ${delivery.account} has too little for a ${kind}`)
  )
