/**
 * The part of the port that keeps deliveries: the three steps of a send, and the ways to find records again.
 *
 * A step of a watched delivery writes its events as well, one for each endpoint, when the outcome becomes known, the
 * status moves or a report notes something; see `@watchword/store/Event`.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Delivery } from "../Delivery.ts"
import type { Counting, Found, Listing, Newest, Page, StatusCount } from "../Listing.ts"
import type { Close, Closed, Open, Opened, Report, Reported, Sweep, Swept } from "./Requests.ts"
import type { StoreError } from "../StoreError.ts"

export interface DeliveryStore {
  /**
   * Begins a send: writes the pending record, takes the hold and the claims, all or nothing.
   *
   * Whether the account is suspended is looked at before claims, and claims before money. A claim that has expired at
   * `at` counts as free. A price of zero leaves no ledger entry. Repeating an open with the id of a delivery that
   * exists answers `Opened` with the record as it is.
   *
   * With `whole`, another record is opened first, in the same step: if either of the two is not let through, neither
   * is opened.
   *
   * With `close` it is as if a `close` at the same time had followed with nothing in between: the ledger has both
   * steps' entries, and the answer is the state after both. An open that is not let through closes nothing.
   */
  readonly open: (open: Open) => Effect.Effect<Opened, StoreError>

  /**
   * Ends a send: moves the phase, settles (`accepted`) or releases (`rejected`, `refunded`) the hold or leaves
   * it (`unknown`), and moves the status when its rank is higher than the record's.
   *
   * From `pending` every outcome is possible, and from `unknown` every other outcome; these others are final.
   * Unmatched reports that were kept under one of `refs` are replayed in the same step, in their order.
   *
   * With `follow`, the whole that the delivery is a part of follows a change in the same step, after all replays.
   */
  readonly close: (close: Close) => Effect.Effect<Closed, StoreError>

  /**
   * Records what became of a delivery. The status moves when its rank is higher than the record's; otherwise nothing
   * changes, so that repeated, late and out-of-order reports are harmless. A report without a status changes only
   * details, and is answered `Moved`; with `when`, it does so once.
   *
   * A report about a part proves that the gateway accepted the message: a `pending` or `unknown` delivery becomes
   * `accepted` and its hold is settled. A report by id changes only the status. In both cases the delivery becomes
   * `refunded` if the report says so.
   *
   * With `follow`, the whole that the delivery is a part of follows in the same step if the answer is `Moved`.
   */
  readonly report: (report: Report) => Effect.Effect<Reported, StoreError>

  /** One record of an account, mode and channel. */
  readonly find: (key: {
    readonly account: AccountId
    readonly mode: Mode
    readonly channel: Product
    readonly id: DeliveryId
  }) => Effect.Effect<Option.Option<Delivery>, StoreError>

  /** The delivery that a ref belongs to: the last delivery that was closed with it. */
  readonly findByRef: (key: {
    readonly channel: Product
    readonly ref: string
  }) => Effect.Effect<Option.Option<Delivery>, StoreError>

  /** One page of the records of an account, mode and channel. */
  readonly list: (listing: Listing) => Effect.Effect<Page, StoreError>

  /**
   * Deliveries in a phase that were created before a time, oldest first, in all accounts and modes.
   *
   * With `abandoned`, only deliveries whose owner has no lease.
   */
  readonly unresolved: (query: {
    readonly phase: "pending" | "unknown"
    readonly createdBefore: number
    readonly abandoned: boolean
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Deliveries of a channel whose status has a name and whose owner has no lease, oldest first, in all accounts and
   * in one mode or, with null, both. They were created from one time on, and before another. Asked now and then: it
   * may take its time, and must not cost sends any.
   */
  readonly abandoned: (query: {
    readonly channel: Product
    readonly status: string
    readonly mode: Mode | null
    readonly createdFrom: number
    readonly createdBefore: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Deliveries of a channel whose `dueAt` is not later than the store's clock, soonest first and then by id, in all
   * accounts and modes. Asked every second: it reads only due deliveries.
   */
  readonly due: (query: {
    readonly channel: Product
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Deliveries to a number that were created from `since` on and whose status has not moved later than `until`, latest
   * first and then by id, downwards, in all accounts and modes. Asked by operators: it looks at the number's records in
   * the weeks between, and at no other record. No record is passed over because the registry lacks its product: a
   * store that cannot name the product fails with `Unavailable`.
   */
  readonly deliveriesTo: (query: {
    readonly to: string
    readonly since: number
    readonly until: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Deliveries that meet the conditions, greatest id first. Asked by operators every few seconds: it looks at no more
   * than `reach` records of these times, including records that meet no condition, so that a page may have fewer than
   * `limit` rows and a `next`.
   */
  readonly newestDeliveries: (query: Newest) => Effect.Effect<Found, StoreError>

  /**
   * Counts the deliveries of some products in all accounts, by the time that lists of the product are ordered by: from
   * `since` on, and before `until`. Asked by operators every few seconds: a store that keeps counts looks only at
   * records at both ends of the time.
   */
  readonly countDeliveries: (query: Counting) => Effect.Effect<ReadonlyArray<StatusCount>, StoreError>

  /**
   * Deletes claims that expired before `at`, counts that are over by the store's clock, unmatched reports that were
   * kept before `unmatchedBefore`, and of each channel's unmatched reports all but the latest `unmatchedLimit`, and
   * rows of traffic that are too old at `at`. Returns how many it dropped only because of that limit.
   */
  readonly sweep: (sweep: Sweep) => Effect.Effect<Swept, StoreError>
}
