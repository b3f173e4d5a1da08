/**
 * Delivery records as an account sees them: its own, of its mode, of one channel.
 *
 * Looking one up, listing them and reporting an outcome are the same for all channels.
 */
import { type Envelope, type ListBody, envelope } from "@watchword/pagination/Page"
import { type ListFields, toQuery } from "@watchword/pagination/Fields"
import type { Mode, Product } from "@watchword/schemas/Channel"
import { BadRequest, Conflict, NotFound, TooManyRequests, invalid } from "@watchword/schemas/Errors"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery, Details, Field, Status } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** The records of one account in one mode on one channel. */
export interface Partition {
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
}

/** The outcome of a delivery as the account reports it: a status of the record, or a value of one of its details. */
export type ReportedOutcome = (
  | {
      readonly _tag: "Status"
      readonly status: Status
      /** Names of later statuses that say the same and more. */
      readonly impliedBy: ReadonlyArray<string>
    }
  | { readonly _tag: "Detail"; readonly name: string; readonly value: string }
) & {
  /** Whether it says that the user holds the number; guards weigh such sends against the others. */
  readonly isVerified?: boolean
}

/** The detail that marks a record whose user holds the number by a report. */
export const VERIFIED = "verified"

/** Whether a report of the account says that the user of a record holds the number. */
export const isVerified = ({ details }: Pick<Delivery, "details">): boolean => details[VERIFIED] === true

/** The outcome is a status. */
export const reportedStatus = (status: Status, impliedBy: ReadonlyArray<string> = []): ReportedOutcome => ({
  _tag: "Status",
  status,
  impliedBy
})

/** The same of a user who has proved to hold the number. */
export const verified = (outcome: ReportedOutcome): ReportedOutcome => ({ ...outcome, isVerified: true })

/** The outcome is a value of a detail. */
export const reportedDetail = (name: string, value: string): ReportedOutcome => ({ _tag: "Detail", name, value })

export interface Service {
  /** One record. 404 if the partition lacks that id, even if another partition has. */
  readonly get: (partition: Partition, id: Option.Option<DeliveryId>) => Effect.Effect<Delivery, NotFound | StoreError>

  /**
   * A page of records, each as `toWire` shows it. 400 when the body names a field that `fields` does not
   * have, or a value that a field cannot hold, or asks for more than the store finds within its time limit. 429 while
   * the account waits for other lists.
   */
  readonly list: <Wire>(
    partition: Partition,
    body: ListBody,
    fields: ListFields<Field>,
    toWire: (delivery: Delivery) => Wire
  ) => Effect.Effect<Envelope<Wire>, BadRequest | TooManyRequests | StoreError>

  /**
   * Records the outcome that the account reports for one of its deliveries. Repeating a report changes nothing;
   * contradicting a final status, or a detail that has a value, is a conflict.
   */
  readonly report: (
    partition: Partition,
    id: Option.Option<DeliveryId>,
    outcome: ReportedOutcome
  ) => Effect.Effect<Reported, NotFound | Conflict | StoreError>
}

export interface Reported {
  /** The record with the outcome. */
  readonly delivery: Delivery
  /** Whether it is the first report by which the user holds the number. */
  readonly isVerified: boolean
}

export class Records extends Context.Service<Records, Service>()("@watchword/records/Records") {}

const notFound = () => new NotFound({ message: "There is no such record." })

/** The error of a list that took too long: it names the condition that bounds the work of any list. */
const tooMuch = (list: ListFields<Field>) => {
  const [time = ""] = [...list.fields].find(([, field]) => field === list.sort) ?? []
  const issue = { path: `filter.${time}`, message: "must bound a shorter time" }
  return new BadRequest({ message: `The list takes too long; narrow its window by ${time}.`, issues: [issue] })
}

const tooMany = () =>
  new TooManyRequests({
    message: "The account's lists before this one are not answered yet; try again.",
    reason: "too_many_lists",
    retryAfter: 1
  })

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const get = Effect.fnUntraced(function* (partition: Partition, id: Option.Option<DeliveryId>) {
    if (Option.isNone(id)) return yield* notFound()
    const found = yield* store.find({ ...partition, id: id.value })
    return Option.isSome(found) ? found.value : yield* notFound()
  })

  const list: Service["list"] = Effect.fnUntraced(function* (partition, body, fields, toWire) {
    const query = toQuery(fields, body)
    if (Result.isFailure(query)) return yield* invalid(query.failure)
    const { total, rows } = yield* Effect.mapError(store.list({ ...partition, ...query.success }), (error) => {
      if (error.reason === "TimeLimit") return tooMuch(fields)
      return error.reason === "TooManyLists" ? tooMany() : error
    })
    return envelope(total, body.page, body.rows_per_page, rows.map(toWire))
  })

  const report = Effect.fnUntraced(function* (
    partition: Partition,
    id: Option.Option<DeliveryId>,
    outcome: ReportedOutcome
  ) {
    const { id: known } = yield* get(partition, id)
    const at = yield* Clock.currentTimeMillis
    const result = yield* store.report(about(known, at, changes(outcome)))
    const isNews = "before" in result && outcome.isVerified === true && !isVerified(result.before)
    switch (result._tag) {
      case "Moved":
        return { delivery: result.delivery, isVerified: isNews }
      case "Unchanged": {
        const conflict = contradiction(result.delivery, outcome)
        if (conflict !== null) return yield* new Conflict({ message: conflict, reason: "final_status" })
        if (!isNews) return { delivery: result.delivery, isVerified: false }
        // The gateway was first to tell the status.
        const marked = yield* store.report(about(known, at, { when: { [VERIFIED]: null }, details: MARK }))
        const { delivery } = marked._tag === "Moved" ? marked : result
        return { delivery, isVerified: marked._tag === "Moved" }
      }
      default:
        return yield* notFound()
    }
  })

  return Records.of({ get, list, report })
})

export const layer: Layer.Layer<Records, never, Store> = Layer.effect(Records, make)

const MARK: Details = { [VERIFIED]: true }

/** A detail is written where it is null. */
const changes = (outcome: ReportedOutcome) => {
  const mark = outcome.isVerified === true ? MARK : {}
  return outcome._tag === "Status"
    ? { status: outcome.status, details: mark }
    : { when: { [outcome.name]: null }, details: { [outcome.name]: outcome.value, ...mark } }
}

/** How a record that a report did not change contradicts it; null if it says the same. */
const contradiction = ({ details, status }: Delivery, outcome: ReportedOutcome): string | null => {
  if (outcome._tag === "Detail") {
    const value = details[outcome.name]
    return value === outcome.value ? null : `The record is reported as ${value} already, and not as ${outcome.value}.`
  }
  const wanted = outcome.status.name
  return status.name === wanted || outcome.impliedBy.includes(status.name)
    ? null
    : `The record is ${status.name} already and cannot become ${wanted}.`
}
