/**
 * The facts that a step is decided on, as they are at one moment.
 *
 * A store whose statements run synchronously within its transaction implements {@link Snapshot} with a statement a
 * method, and reads only the rows that a step asks for. Other stores read every row that a step may ask for at once,
 * see `@watchword/store/step`.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { Balance } from "../Account.ts"
import type { Delivery } from "../Delivery.ts"
import type { Claim, Report, Target } from "../internal/Requests.ts"

export interface Snapshot {
  /** An account; undefined when it does not exist. */
  readonly account: (id: AccountId) => AccountState | undefined
  readonly delivery: (id: DeliveryId) => Delivery | undefined
  /** The claim with this key in a tenant (an account in one mode), expired or not. */
  readonly claim: (account: AccountId, mode: Mode, key: string) => HeldClaim | undefined
  /** The part that a gateway's id belongs to. */
  readonly part: (channel: Product, ref: string) => Part | undefined
  /**
   * All deliveries of a channel with this number and this reference that are referable (see `Transitions.isReferable`),
   * in all accounts and modes.
   */
  readonly referable: (channel: Product, to: string, reference: number) => ReadonlyArray<Delivery>
  /** The unmatched reports that are kept under any of these refs, each once, oldest first. */
  readonly unmatched: (channel: Product, refs: ReadonlyArray<string>) => ReadonlyArray<Unmatched>
  /** The names of a delivery's parts that have reported a status. */
  readonly reporters: (delivery: DeliveryId, status: string) => ReadonlyArray<string>
}

/** The facts about an account that steps are decided on. */
export interface AccountState {
  readonly balance: Balance
  readonly suspended: boolean
}

/** A claim and the delivery that holds it. */
export interface HeldClaim extends Claim {
  readonly delivery: DeliveryId
}

/** A part of a delivery. Its name is the ref that it was first known by, whatever spelling it is met under later. */
export interface Part {
  readonly delivery: DeliveryId
  readonly name: string
}

/** A report about a part, which finds its delivery by the gateway's id. */
export interface PartReport extends Report {
  readonly target: Extract<Target, { readonly _tag: "Part" }>
}

/** A report that no delivery matches yet. */
export interface Unmatched {
  /** The store's number for it: a later report has a higher one. */
  readonly n: number
  readonly report: PartReport
}
