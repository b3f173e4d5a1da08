/**
 * The working set of a transaction: the facts that its steps are decided on, with the changes of its steps so far. Each
 * step is decided on the snapshot that the steps before it have left.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import { type Balance, balanceOf, posted } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import type { Event } from "@watchword/store/Event"
import {
  type AccountState,
  type Changes,
  type HeldClaim,
  type NamedPart,
  type NewRecord,
  type Part,
  type PartReport,
  type PartStatus,
  type Posting,
  type Snapshot,
  type Unmatched,
  isReferable
} from "@watchword/store/step"
import { type Partitions, heldUntilOf, modeOf } from "@watchword/store/sql"
import * as Option from "effect/Option"
import { type Facts, decodeUnmatched } from "./Facts.ts"
import { decoder } from "./Rows.ts"

/** The changes of all steps of a transaction together. */
export interface Written {
  readonly opened: ReadonlyArray<{ readonly delivery: Delivery; readonly owner: ProcessId }>
  /** Records that were there, before all steps and after them. */
  readonly updated: ReadonlyArray<{ readonly before: Delivery; readonly after: Delivery }>
  /** Each with the balance of its account after it. */
  readonly postings: ReadonlyArray<Posting & { readonly balance: Balance }>
  readonly claims: ReadonlyArray<HeldClaim & { readonly account: AccountId; readonly mode: Mode }>
  readonly parts: ReadonlyArray<NamedPart>
  readonly reported: ReadonlyArray<PartStatus>
  readonly complete: ReadonlyArray<Omit<PartStatus, "part">>
  readonly unmatched: ReadonlyArray<PartReport>
  readonly replayed: ReadonlyArray<Unmatched>
  readonly events: ReadonlyArray<Event>
}

export class WorkingSet {
  readonly #accounts: Map<AccountId, AccountState>
  readonly #before: ReadonlyMap<DeliveryId, Delivery>
  readonly #deliveries: Map<DeliveryId, Delivery>
  readonly #claims: Map<string, HeldClaim>
  readonly #parts: Map<string, Part>
  readonly #reporters = new Map<string, Set<string>>()
  readonly #unmatched: Map<number, Unmatched>

  readonly #owners = new Map<DeliveryId, ProcessId>()
  readonly #postings: Array<Written["postings"][number]> = []
  readonly #newClaims = new Map<string, Written["claims"][number]>()
  readonly #newParts = new Map<string, NamedPart>()
  readonly #reported: Array<PartStatus> = []
  readonly #complete: Array<Omit<PartStatus, "part">> = []
  readonly #newUnmatched: Array<PartReport> = []
  readonly #replayed: Array<Unmatched> = []
  readonly #events: Array<Event> = []

  constructor(facts: Facts, partitions: Partitions) {
    this.#accounts = new Map(
      facts.accounts.map(([id, available, held, suspended]) => [id, { balance: balanceOf(available, held), suspended }])
    )
    this.#before = new Map(facts.deliveries.map(decoder(partitions)).map((delivery) => [delivery.id, delivery]))
    this.#deliveries = new Map(this.#before)
    this.#claims = new Map(
      facts.claims.map(([account, mode, key, delivery, fingerprint, heldUntil, expiresAt]) => [
        claimKey(account, modeOf(mode), key),
        { key, delivery, fingerprint, heldUntil: heldUntilOf(heldUntil), expiresAt }
      ])
    )
    this.#parts = new Map(
      facts.parts.map(([channel, ref, delivery, name]) => [
        partKey(partitions.channelOf(channel), ref),
        { delivery, name: name ?? ref }
      ])
    )
    for (const [delivery, status, part] of facts.reported) this.#reportersOf(delivery, status).add(part)
    this.#unmatched = new Map(facts.unmatched.map((row) => [row[0], decodeUnmatched(partitions, row)]))
  }

  readonly snapshot: Snapshot = {
    account: (id) => this.#accounts.get(id),
    delivery: (id) => this.#deliveries.get(id),
    claim: (account, mode, key) => this.#claims.get(claimKey(account, mode, key)),
    part: (channel, ref) => this.#parts.get(partKey(channel, ref)),
    referable: (channel, to, reference) =>
      [...this.#deliveries.values()].filter(
        (delivery) =>
          delivery.reference === reference &&
          delivery.to === to &&
          delivery.channel === channel &&
          isReferable(delivery)
      ),
    unmatched: (channel, refs) =>
      [...this.#unmatched.values()].filter(
        ({ report: { target } }) => target.channel === channel && target.refs.some((ref) => refs.includes(ref))
      ),
    reporters: (delivery, status) => [...this.#reportersOf(delivery, status)]
  }

  /**
   * Adds the changes of a step. Reports are decided behind all opens and closes, so that no report is both kept
   * unmatched and replayed in one transaction.
   */
  apply({ complete, events, opened, parts, postings, replayed, reported, unmatched, updated }: Changes): void {
    for (const record of opened) this.#open(record)
    for (const { after } of updated) this.#deliveries.set(after.id, after)
    for (const posting of postings) this.#post(posting)
    for (const part of parts) {
      const key = partKey(part.channel, part.ref)
      this.#parts.set(key, part)
      this.#newParts.set(key, part)
    }
    for (const { delivery, part, status } of reported) this.#reportersOf(delivery, status).add(part)
    this.#reported.push(...reported)
    for (const { delivery, status } of complete) this.#reportersOf(delivery, status).clear()
    this.#complete.push(...complete)
    if (unmatched !== null) this.#newUnmatched.push(unmatched)
    for (const { n } of replayed) this.#unmatched.delete(n)
    this.#replayed.push(...replayed)
    this.#events.push(...events)
  }

  #open({ claims, delivery, owner }: NewRecord): void {
    const { account, id, mode } = delivery
    this.#deliveries.set(id, delivery)
    this.#owners.set(id, owner)
    for (const claim of claims) {
      const key = claimKey(account, mode, claim.key)
      const held = { ...claim, delivery: id, account, mode }
      this.#claims.set(key, held)
      this.#newClaims.set(key, held)
    }
  }

  #post(posting: Posting): void {
    const { account, price } = posting.delivery
    const before = this.#accounts.get(account)
    const balance = before && Option.getOrUndefined(posted(before.balance, posting.kind, price))
    if (before === undefined || balance === undefined)
      throw new Error(`the account ${account} has too little for a ${posting.kind}`)
    this.#accounts.set(account, { ...before, balance })
    this.#postings.push({ ...posting, balance })
  }

  #reportersOf(delivery: DeliveryId, status: string): Set<string> {
    const key = `${delivery} ${status}`
    const known = this.#reporters.get(key) ?? new Set()
    this.#reporters.set(key, known)
    return known
  }

  written(): Written {
    const opened: Array<Written["opened"][number]> = []
    const updated: Array<Written["updated"][number]> = []
    for (const [id, after] of this.#deliveries) {
      const before = this.#before.get(id)
      const owner = this.#owners.get(id)
      if (owner !== undefined) opened.push({ delivery: after, owner })
      else if (before !== undefined && before !== after) updated.push({ before, after })
    }
    return {
      opened,
      updated,
      postings: this.#postings,
      claims: [...this.#newClaims.values()],
      parts: [...this.#newParts.values()],
      reported: this.#reported,
      complete: this.#complete,
      unmatched: this.#newUnmatched,
      replayed: this.#replayed,
      events: this.#events
    }
  }
}

const claimKey = (account: AccountId, mode: Mode, key: string): string => `${account} ${mode} ${key}`
const partKey = (channel: Product, ref: string): string => `${channel} ${ref}`
