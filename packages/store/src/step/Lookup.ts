/**
 * The reads that a step may do on its snapshot, for stores that read everything at once.
 *
 * To look up is, each at the same moment:
 *
 * 1. the record with the lookup's `id`, and the claims with its keys;
 * 2. where an `id` is given, the unmatched reports that are kept under any of `refs` in the channel;
 * 3. the parts that `refs`, and the refs of those reports, belong to in the channel;
 * 4. the records of these parts and claims, and the referable records of the channel with the number and the reference
 *    that the message, or one of those reports, names;
 * 5. the records that these records are parts of, by their detail `PART_OF`;
 * 6. the parts of all these records that have reported a status;
 * 7. the accounts of all these records, and the lookup's `account`.
 *
 * A store that compares before it writes compares 1 to 6, whether the lookup's `account` is suspended, and on which
 * sides of `low.threshold` its available balance is as it stands and less `low.price`. Balances move with every send of
 * an account: it relies on that neither figure of a balance can become negative, and begins again when one would.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery } from "../Delivery.ts"
import type { AboutMessage, Close, Open, Report } from "../internal/Requests.ts"
import { isReferable } from "./Transitions.ts"
import type { PartStatus } from "./Changes.ts"
import type { AccountState, HeldClaim, Part, Snapshot, Unmatched } from "./Snapshot.ts"

export interface Lookup {
  /** The record that the step names; null for a report about a part. */
  readonly id: DeliveryId | null
  /** The account and the mode of an open; null for other steps. */
  readonly tenant: { readonly account: AccountId; readonly mode: Mode } | null
  /** The tenant's claim keys. */
  readonly keys: ReadonlyArray<string>
  /** Null for the channel of the record that the step names. */
  readonly channel: Product | null
  readonly refs: ReadonlyArray<string>
  readonly message: AboutMessage
  /** The threshold below which an open tells of the balance, and the price that it takes; null if it tells none. */
  readonly low: { readonly threshold: MicroEuros; readonly price: MicroEuros } | null
}

export interface Facts {
  readonly accounts: ReadonlyArray<readonly [id: AccountId, account: AccountState]>
  readonly deliveries: ReadonlyArray<Delivery>
  readonly claims: ReadonlyArray<HeldClaim>
  readonly parts: ReadonlyArray<readonly [ref: string, part: Part]>
  readonly reported: ReadonlyArray<PartStatus>
  /** Oldest first. */
  readonly unmatched: ReadonlyArray<Unmatched>
}

const NOTHING: AboutMessage = { to: null, reference: null }

export const lookupOfOpen = ({
  claims,
  close,
  delivery: { account, channel, id, mode, price },
  watch,
  whole
}: Open): Lookup => ({
  id,
  tenant: { account, mode },
  keys: [...(whole?.claims ?? []), ...claims].map(({ key }) => key),
  channel,
  refs: close?.refs ?? [],
  message: NOTHING,
  low: watch?.balanceLow === undefined ? null : { threshold: watch.balanceLow.threshold, price }
})

export const lookupOfClose = ({ id, refs }: Close): Lookup => ({
  id,
  tenant: null,
  keys: [],
  channel: null,
  refs,
  message: NOTHING,
  low: null
})

export const lookupOfReport = ({ target }: Report): Lookup =>
  target._tag === "Delivery"
    ? { id: target.id, tenant: null, keys: [], channel: null, refs: [], message: NOTHING, low: null }
    : {
        id: null,
        tenant: null,
        keys: [],
        channel: target.channel,
        refs: target.refs,
        message: target.message,
        low: null
      }

/** The snapshot that a step is decided on, of the facts that its lookup asks for. */
export const snapshotOf = (facts: Facts): Snapshot => {
  const accounts = new Map(facts.accounts)
  const deliveries = new Map(facts.deliveries.map((delivery) => [delivery.id, delivery]))
  const parts = new Map(facts.parts)
  return {
    account: (id) => accounts.get(id),
    delivery: (id) => deliveries.get(id),
    claim: (_account, _mode, key) => facts.claims.find((claim) => claim.key === key),
    part: (_channel, ref) => parts.get(ref),
    referable: (channel, to, reference) =>
      facts.deliveries.filter(
        (delivery) =>
          isReferable(delivery) &&
          delivery.channel === channel &&
          delivery.to === to &&
          delivery.reference === reference
      ),
    unmatched: (_channel, refs) =>
      facts.unmatched.filter(({ report }) => report.target.refs.some((ref) => refs.includes(ref))),
    reporters: (delivery, status) =>
      facts.reported.filter((each) => each.delivery === delivery && each.status === status).map(({ part }) => part)
  }
}
