/**
 * Watched deliveries in the batch: the step engine makes their events on the record as this process knows it, and the batch
 * writes them where the record is still so. Otherwise the engine decides the step on what it looks up.
 *
 * A bounded number of records is known, those that changed here last, without data of persons.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Delivery, ERASED } from "@watchword/store/Delivery"
import { balanceOf } from "@watchword/store/Account"
import * as Decide from "@watchword/store/step"
import type { Close, Open, Report } from "@watchword/store/Store"
import { EventSql, phaseCode } from "@watchword/store/sql"

/** How many records are known, and how many refs of them. */
const LIMIT = 10_000

/** What a row of the batch has of a record that was there: what was decided on, which is compared, and what is written. */
interface Written {
  readonly was: ReadonlyArray<unknown>
  readonly version: number
  readonly events: ReturnType<typeof EventSql.encodeEvents>
}

export class Watched {
  readonly #records = new Map<DeliveryId, Delivery>()
  readonly #refs = new Map<string, DeliveryId>()

  /** Keeps a record as a step has left it, and the refs that the step brought. */
  keep(delivery: Delivery, refs: ReadonlyArray<string> = []): void {
    const { channel, id, watch } = delivery
    if (watch === null) return
    put(this.#records, id, { ...delivery, to: ERASED, from: null, details: {} })
    for (const ref of refs) put(this.#refs, refKey(channel, ref), id)
  }

  /** The record that a watched open writes, and its events apart from those of a low balance. */
  open({ watch, ...request }: Open): (Pick<Written, "events"> & { readonly delivery: Delivery }) | undefined {
    if (watch === undefined) return undefined
    const { account, price } = request.delivery
    const snapshot = partly({ accounts: [payer(account, price)] })
    const { changes } = Decide.open(snapshot, { ...request, watch: { endpoints: watch.endpoints } })
    return changes.opened === null
      ? undefined
      : { delivery: changes.opened.delivery, events: EventSql.encodeEvents(changes.events) }
  }

  close(request: Close): Written | undefined {
    const before = this.#records.get(request.id)
    return before && toldOf(before, Decide.close(partly(known(before)), request))
  }

  /** The events of a report without conditions, which are about details, and without a note. */
  report(request: Report): Written | undefined {
    const { note, target, when } = request
    if (this.#records.size === 0 || note !== undefined || Object.keys(when).length > 0) return undefined
    const [ref = ""] = target._tag === "Part" ? target.refs : []
    const id = target._tag === "Part" ? this.#refs.get(refKey(target.channel, ref)) : target.id
    const before = id && this.#records.get(id)
    return before && toldOf(before, Decide.report(partly(known(before, ref)), request))
  }
}

const put = <K, V>(map: Map<K, V>, key: K, value: V): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= LIMIT) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

const refKey = (channel: Product, ref: string): string => `${channel} ${ref}`

const partly = (facts: Partial<Decide.Facts>) =>
  Decide.snapshotOf({ accounts: [], deliveries: [], claims: [], parts: [], reported: [], unmatched: [], ...facts })

/** An account that has and holds what a step may take: the batch knows what it really has. */
const payer = (account: AccountId, price: MicroEuros): Decide.Facts["accounts"][number] => [
  account,
  { balance: balanceOf(price, price), suspended: false }
]

const known = (delivery: Delivery, ref?: string): Partial<Decide.Facts> => {
  const { account, id, price } = delivery
  return {
    accounts: [payer(account, price)],
    deliveries: [delivery],
    parts: ref === undefined ? [] : [[ref, { delivery: id, name: ref }]]
  }
}

const toldOf = (
  before: Delivery,
  { answer, changes }: Decide.Decision<{ readonly _tag: string; readonly delivery?: Delivery }>
): Written | undefined => {
  const { id, phase, status, watch } = before
  const after = answer.delivery?.watch
  if (watch === null || !after) return undefined
  return {
    was: [id, phaseCode(phase), status.name, status.rank, watch.version],
    version: after.version,
    events: EventSql.encodeEvents(changes.events)
  }
}
