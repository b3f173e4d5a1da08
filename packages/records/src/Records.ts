/**
 * Delivery records as an account sees them: its own, of its mode, of one channel.
 *
 * Looking one up, listing them and recording a reported outcome are the same for all channels.
 */
import { type Envelope, envelope } from "@watchword/pagination/Envelope"
import type { ListBody } from "@watchword/pagination/ListBody"
import { type ListFields, toQuery } from "@watchword/pagination/ListFields"
import type { Mode, Product } from "@watchword/schemas/Channel"
import { BadRequest, Conflict, NotFound } from "@watchword/schemas/Errors"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery, Field, Status } from "@watchword/store/Delivery"
import { about } from "@watchword/store/Reports"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** Whose records: what one account did in one mode on one channel. */
export interface Drawer {
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
}

export interface Service {
  /** One record. 404 when there is none of this drawer, whoever else may have one by that id. */
  readonly get: (drawer: Drawer, id: Option.Option<DeliveryId>) => Effect.Effect<Delivery, NotFound | StoreError>

  /**
   * A page of records, each as `toWire` shows it. 400 when the body names a field that `fields` does not
   * have, or a value that a field cannot hold, or asks for more than the store finds within its time limit.
   */
  readonly list: <Wire>(
    drawer: Drawer,
    body: ListBody,
    fields: ListFields<Field>,
    toWire: (delivery: Delivery) => Wire
  ) => Effect.Effect<Envelope<Wire>, BadRequest | StoreError>

  /**
   * Records the outcome that the account reports for one of its deliveries and answers the record as it is
   * then. Reporting the status it has already changes nothing; contradicting a final one is a conflict.
   *
   * @param impliedBy names of later statuses that say the same and more
   */
  readonly report: (
    drawer: Drawer,
    id: Option.Option<DeliveryId>,
    status: Status,
    impliedBy?: ReadonlyArray<string>
  ) => Effect.Effect<Delivery, NotFound | Conflict | StoreError>

  /**
   * Writes the outcome that the account reports into a detail of one of its deliveries, where there is none
   * yet, and answers the record as it is then. Repeating it changes nothing; contradicting it is a conflict.
   */
  readonly mark: (
    drawer: Drawer,
    id: Option.Option<DeliveryId>,
    detail: string,
    outcome: string
  ) => Effect.Effect<Delivery, NotFound | Conflict | StoreError>
}

export class Records extends Context.Service<Records, Service>()("@watchword/records/Records") {}

const notFound = () => new NotFound({ message: "There is no such record." })

/** The error of a list that took too long: it names the condition that bounds the work of any list. */
const tooMuch = (list: ListFields<Field>) => {
  const [time = ""] = [...list.fields].find(([, field]) => field === list.sort) ?? []
  const issue = { path: `filter.${time}`, message: "must bound a shorter time" }
  return new BadRequest({ message: `The list takes too long; narrow its window by ${time}.`, issues: [issue] })
}

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store

  const get = Effect.fnUntraced(function* (drawer: Drawer, id: Option.Option<DeliveryId>) {
    if (Option.isNone(id)) return yield* notFound()
    const found = yield* store.find({ ...drawer, id: id.value })
    return Option.isSome(found) ? found.value : yield* notFound()
  })

  const list: Service["list"] = Effect.fnUntraced(function* (drawer, body, fields, toWire) {
    const query = toQuery(fields, body)
    if (Result.isFailure(query)) {
      return yield* new BadRequest({ message: "The request body is not valid.", issues: query.failure })
    }
    const { total, rows } = yield* Effect.catchIf(
      store.list({ ...drawer, ...query.success }),
      ({ reason }) => reason === "TimeLimit",
      () => tooMuch(fields)
    )
    return envelope(total, body.page, body.rows_per_page, rows.map(toWire))
  })

  const report = Effect.fnUntraced(function* (
    drawer: Drawer,
    id: Option.Option<DeliveryId>,
    status: Status,
    impliedBy: ReadonlyArray<string> = []
  ) {
    const { id: known } = yield* get(drawer, id)
    const at = yield* Clock.currentTimeMillis
    const result = yield* store.report(about(known, at, { status }))
    switch (result._tag) {
      case "Moved":
        return result.delivery
      case "Unchanged": {
        const now = result.delivery.status
        if (now.name === status.name || impliedBy.includes(now.name)) return result.delivery
        return yield* new Conflict({ message: `The record is ${now.name} already and cannot become ${status.name}.` })
      }
      default:
        return yield* notFound()
    }
  })

  const mark = Effect.fnUntraced(function* (
    drawer: Drawer,
    id: Option.Option<DeliveryId>,
    detail: string,
    outcome: string
  ) {
    const { id: known } = yield* get(drawer, id)
    const at = yield* Clock.currentTimeMillis
    const when = { [detail]: null }
    const result = yield* store.report(about(known, at, { when, details: { [detail]: outcome } }))
    switch (result._tag) {
      case "Moved":
        return result.delivery
      case "Unchanged": {
        const now = result.delivery.details[detail]
        if (now === outcome) return result.delivery
        return yield* new Conflict({ message: `The record is reported as ${now} already, and not as ${outcome}.` })
      }
      default:
        return yield* notFound()
    }
  })

  return Records.of({ get, list, report, mark })
})

export const layer: Layer.Layer<Records, never, Store> = Layer.effect(Records, make)
