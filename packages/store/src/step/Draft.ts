/**
 * The working copy of a step: a snapshot, overlaid with the step's changes so far.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import { type Balance, type EntryKind, posted } from "../Account.ts"
import type { Delivery } from "../Delivery.ts"
import type { Event, Note } from "../Event.ts"
import type { Open } from "../internal/Requests.ts"
import { type Transition, isNews, isReferable } from "./Transitions.ts"
import type { Changes, NamedPart, PartStatus, Posting } from "./Changes.ts"
import type { AccountState, Part, PartReport, Snapshot, Unmatched } from "./Snapshot.ts"
import * as Events from "./Events.ts"

interface Row {
  /** Null for the record that the step opens. */
  readonly before: Delivery | null
  after: Delivery
  /** The news for its endpoints. */
  news: Events.News | null
}

export class Draft {
  readonly #snapshot: Snapshot
  readonly #rows = new Map<DeliveryId, Row>()
  readonly #opened: Array<Open> = []
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
    if (found !== undefined) this.#rows.set(id, { before: found, after: found, news: null })
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

  /** An account with the postings of this step; undefined when it does not exist. */
  account(id: AccountId): AccountState | undefined {
    const owner = this.#snapshot.account(id)
    if (owner === undefined || this.#postings.length === 0) return owner
    const own = this.#postings.filter(({ delivery }) => delivery.account === id)
    return { ...owner, balance: own.reduce(balanceAfter, owner.balance) }
  }

  /** The money that the account of a delivery has left. */
  available(account: AccountId): MicroEuros {
    const owner = this.account(account)
    if (owner === undefined) throw new Error(`the account ${account} of a delivery does not exist`)
    return owner.balance.available
  }

  /** Writes a new record and holds its price. */
  open(delivery: Delivery, request: Open): void {
    this.#opened.push(request)
    this.#rows.set(delivery.id, { before: null, after: delivery, news: null })
    this.#post(delivery, "hold", request.at)
  }

  /** Writes the outcome of a transition, and moves the price. */
  write({ delivery, posting }: Transition, at: number, note: Note | null = null): Delivery {
    const row = this.#rowOf(delivery.id)
    row.after = this.#told(row, delivery, at, note)
    if (posting !== null) this.#post(delivery, posting, at)
    return row.after
  }

  /** The delivery, under its next version if its endpoints receive an event. */
  #told(row: Row, delivery: Delivery, at: number, note: Note | null): Delivery {
    if (delivery.watch === null) return delivery
    const moved = isNews(row.before, delivery)
    if (!moved && note === null) return delivery
    row.news = { moved, note, at }
    const version = (row.before?.watch?.version ?? 0) + 1
    return { ...delivery, watch: { ...delivery.watch, version } }
  }

  #rowOf(id: DeliveryId): Row {
    const row = this.#rows.get(id)
    if (row === undefined) throw new Error(`the delivery ${id} was written before it was read`)
    return row
  }

  #post(delivery: Delivery, kind: EntryKind, at: number): void {
    if (delivery.price > 0) this.#postings.push({ delivery, kind, at })
  }

  /** Lets a ref belong to a part that is counted already. */
  lead({ channel, id: delivery }: Delivery, ref: string): void {
    this.#parts.push({ channel, ref, delivery, name: ref })
  }

  /** Assigns refs to a part that had no refs. */
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
    const updated: Array<{ readonly before: Delivery; readonly after: Delivery }> = []
    for (const { after, before } of this.#rows.values()) {
      if (before !== null && before !== after) updated.push({ before, after })
    }
    const opened = this.#opened.map(({ claims, delivery: { id }, owner }) => ({
      delivery: this.#rowOf(id).after,
      owner,
      claims
    }))
    return {
      opened,
      updated,
      postings: this.#postings,
      parts: this.#parts,
      reported: this.#reported,
      complete: this.#complete,
      unmatched: this.#unmatched,
      replayed: this.#replayed,
      events: this.#events()
    }
  }

  #events(): ReadonlyArray<Event> {
    const events: Array<Event> = []
    for (const { after, news } of this.#rows.values()) if (news !== null) events.push(...Events.ofDelivery(after, news))
    for (const opened of this.#opened) events.push(...this.#balanceEvents(opened))
    return events
  }

  #balanceEvents(request: Open): ReadonlyArray<Event> {
    const { account, price } = request.delivery
    // A record that costs nothing takes nothing from the balance, whatever its parts cost in the same step.
    if (price === 0) return []
    const before = this.#snapshot.account(account)?.balance.available
    if (request.watch?.balanceLow === undefined || before === undefined) return []
    return Events.ofBalance(request, request.watch.balanceLow, before, this.available(account))
  }
}

const balanceAfter = (balance: Balance, { delivery, kind }: Posting): Balance =>
  Option.getOrThrowWith(
    posted(balance, kind, delivery.price),
    () => new Error(`the account ${delivery.account} has too little for a ${kind}`)
  )
