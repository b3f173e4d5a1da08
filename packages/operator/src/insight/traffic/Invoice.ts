/**
 * The expected charges of a carrier for a month, from the records, for comparison with its own invoice.
 */
import { type BadRequest, type TooManyRequests, invalid } from "@watchword/schemas/Errors"
import { timeOfUlid } from "@watchword/schemas/Ids"
import { type E164, callingCodeOf } from "@watchword/schemas/PhoneNumber"
import * as Prefixes from "@watchword/schemas/Prefixes"
import { INCOMPLETE } from "@watchword/send/pipeline"
import { type Costs, carrierNames, carrierRef } from "@watchword/send/routes"
import { type Delivery, ERASED } from "@watchword/store/Delivery"
import { look, oneAtATime } from "../../command/SlowReads.ts"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Described } from "@watchword/send/channel/Features"
import { type Span, spanOf } from "../Month.ts"
import { carrierOf, costOf } from "./Carrier.ts"
import * as CsvFile from "./CsvFile.ts"
import { scan } from "./Scan.ts"

/** The carriers of the settings, each with its price list; of a carrier without one, a prefix is the calling code. */
export const PriceLists = Context.Reference<ReadonlyMap<string, Costs | null>>(
  "watchword/internal/traffic/PriceLists",
  {
    defaultValue: () => new Map()
  }
)

export interface InvoiceInput {
  readonly carrier: string
  /** Such as `2027-01`, in UTC. */
  readonly month: string
  /** The text of the carrier's own file. */
  readonly against?: string | undefined
}

/** Messages of a day and a prefix that the carrier took. `cost` is EUR. */
export interface InvoiceLine {
  readonly day: string
  readonly channel: string
  readonly prefix: string
  readonly messages: number
  readonly parts: number
  readonly cost: number
}

/** How a message may differ, see {@link Difference}. */
export const KINDS = [
  "unknown_id",
  "not_taken",
  "other_month",
  "other_carrier",
  "twice",
  "cost",
  "not_charged"
] as const

/** A message that the records and the carrier's file do not have alike. */
export interface Difference {
  /**
   * - `unknown_id`: the file has it, and no record;
   * - `not_taken`: by its record the carrier did not take it, or takes nothing for it;
   * - `other_month`: its record is of another month;
   * - `other_carrier`: its record names another carrier;
   * - `twice`: the file has it more than once;
   * - `cost`: the file and the record have different costs;
   * - `not_charged`: the carrier took it, and the file lacks it, or some of its parts.
   */
  readonly kind: (typeof KINDS)[number]
  /** The carrier's id of the message; null if only the record is known. */
  readonly message: string | null
  /** The id of the record; null for a line without a record. */
  readonly delivery: string | null
  readonly says: string
}

export interface Invoice {
  readonly carrier: string
  readonly month: string
  readonly lines: ReadonlyArray<InvoiceLine>
  readonly messages: number
  readonly parts: number
  readonly cost: number
  /** Messages whose outcome is not known: the carrier may charge for them. */
  readonly unknown: number
  /** At most 1,000; null if no file was given. */
  readonly differences: ReadonlyArray<Difference> | null
  /** How many there are. */
  readonly found: number
}

const MOST = 1_000

/** How many lines of a file one look finds the records of. */
const BATCH = 50

const inTurn = oneAtATime()

export const invoice = (
  input: InvoiceInput
): Effect.Effect<Invoice, BadRequest | StoreError | TooManyRequests, Described | Settings | Store> =>
  inTurn(made(input))

const made = Effect.fnUntraced(function* ({
  against,
  carrier,
  month
}: InvoiceInput): Effect.fn.Return<Invoice, BadRequest | StoreError, Described | Settings | Store> {
  const span = yield* spanOf(month)
  const costs = (yield* PriceLists).get(carrier) ?? null
  const channels = new Map(
    (yield* Described).flatMap(({ name, products }) => products.map((each) => [each.name, name]))
  )
  const isOf = (delivery: Delivery): boolean =>
    carrierOf(delivery, channels.get(delivery.channel) ?? delivery.channel) === carrier
  const compared =
    against === undefined
      ? null
      : yield* comparing({
          carrier,
          charges: yield* CsvFile.parse(against),
          isOf,
          span,
          channels: [...channels.keys()]
        })
  const lines = new Map<string, Sum>()
  const named = new Set<string>()
  let unknown = 0
  yield* scan(span, (page) =>
    Effect.sync(() => {
      for (const delivery of page) {
        if (delivery.mode !== "live" || delivery.channel === VERIFY) continue
        for (const name of namesIn(delivery)) named.add(name)
        if (!isOf(delivery)) continue
        if (delivery.phase === "pending" || delivery.phase === "unknown") unknown += 1
        const parts = partsOf(delivery)
        if (parts === 0) continue
        const line = lineOf(delivery, costs)
        const name = JSON.stringify(line)
        const sum = lines.get(name) ?? { ...line, messages: 0, parts: 0, micros: 0 }
        lines.set(name, {
          ...sum,
          messages: sum.messages + 1,
          parts: sum.parts + parts,
          micros: sum.micros + costOf(delivery)
        })
        compared?.took(delivery, parts)
      }
    })
  )
  if (!named.has(carrier)) yield* checkKnown(carrier, month, named)
  const all = [...lines.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const total = (amount: (sum: Sum) => number) => all.reduce((sum, each) => sum + amount(each), 0)
  const differences = compared?.differences ?? []
  return {
    carrier,
    month,
    lines: all.map(({ micros, ...line }) => ({ ...line, cost: micros / 1_000_000 })),
    messages: total(({ messages }) => messages),
    parts: total(({ parts }) => parts),
    cost: total(({ micros }) => micros) / 1_000_000,
    unknown,
    differences: compared === null ? null : differences.slice(0, MOST),
    found: differences.length
  }
})

const VERIFY = "verify"

/**
 * Fails for a name that is a typing error: neither that of a channel, nor of a carrier that the settings, running
 * servers or the month's records have.
 */
const checkKnown = Effect.fnUntraced(function* (carrier: string, month: string, named: ReadonlySet<string>) {
  const channels = (yield* Described).flatMap(({ name, products }) =>
    products.length === 0 || name === VERIFY ? [] : [name]
  )
  if (channels.includes(carrier)) return
  const known = new Set([...named, ...(yield* PriceLists).keys(), ...(yield* carrierNames)])
  if (known.has(carrier)) return
  const carriers = [...known].filter((name) => !channels.includes(name)).toSorted()
  const unnamed = `${channels.toSorted().join(", ")} for a carrier without a name`
  const message =
    `is no carrier of the settings, of running servers or of the records of ${month}; use ` +
    (carriers.length === 0 ? unnamed : `${carriers.join(", ")}, or ${unnamed}`)
  return yield* invalid([{ path: "carrier", message }])
})

/** The carriers that a record names: the message's carrier, and the other candidates. */
const namesIn = ({ details: { carrier, carriers } }: Delivery): ReadonlyArray<string> =>
  [carrier, carriers].flatMap((names) => (typeof names === "string" ? names.split(" ") : []))

interface Sum extends Omit<InvoiceLine, "cost"> {
  readonly micros: number
}

const nameOf = ({ channel, day, prefix }: Sum): string => `${day} ${channel} ${prefix}`

/** The parts that the carrier took. */
const partsOf = ({ details, named, parts, phase }: Delivery): number =>
  phase !== "accepted" ? 0 : details[INCOMPLETE] === true ? named : parts

const lineOf = ({ channel, id, to }: Delivery, costs: Costs | null) => ({
  day: new Date(timeOfUlid(id)).toISOString().slice(0, 10),
  channel,
  prefix: isNumber(to) ? ((costs === null ? callingCodeOf(to) : Prefixes.prefixOf(costs, to)) ?? "") : ""
})

const isNumber = (to: string): to is E164 => to !== ERASED

interface Comparing {
  readonly carrier: string
  readonly charges: ReadonlyArray<CsvFile.Charge>
  readonly channels: ReadonlyArray<string>
  readonly isOf: (delivery: Delivery) => boolean
  readonly span: Span
}

/** The file's line for one record. */
interface Charged {
  parts: number
  /** Micro-euros; null if the file names no costs. */
  cost: number | null
  readonly message: string
}

/** Finds the record of each charge; `took` is called then with each record that the carrier took. */
const comparing = Effect.fnUntraced(function* ({ carrier, channels, charges, isOf, span }: Comparing) {
  const store = yield* Store
  const differences: Array<Difference> = []
  const byDelivery = new Map<string, Charged>()
  const seen = new Set<string>()

  const find = Effect.fnUntraced(function* (id: string) {
    for (const ref of [carrierRef(carrier, id), id]) {
      for (const channel of channels) {
        const found = Option.getOrNull(yield* store.findByRef({ channel, ref }))
        if (found !== null) return found
      }
    }
    return null
  })

  const read = Effect.fnUntraced(function* ({ cost, id, line }: CsvFile.Charge) {
    const differs = (kind: Difference["kind"], delivery: Delivery | null, says: string): void =>
      void differences.push({ kind, message: id, delivery: delivery?.id ?? null, says: `line ${line}: ${says}` })
    if (seen.has(id)) {
      differs("twice", null, "the id is also in an earlier line")
      return
    }
    seen.add(id)
    const delivery = yield* find(id)
    const at = delivery === null ? 0 : timeOfUlid(delivery.id)
    if (delivery === null) differs("unknown_id", null, "no record has the id")
    else if (!isOf(delivery)) differs("other_carrier", delivery, "the record names another carrier")
    else if (at < span.since || at >= span.until) {
      differs("other_month", delivery, `the record is of ${new Date(at).toISOString()}`)
    } else if (partsOf(delivery) === 0) differs("not_taken", delivery, `the record is ${delivery.phase}`)
    else {
      const charged = byDelivery.get(delivery.id) ?? { parts: 0, cost: null, message: id }
      charged.parts += 1
      if (cost !== null) charged.cost = (charged.cost ?? 0) + cost
      byDelivery.set(delivery.id, charged)
    }
  })

  for (let from = 0; from < charges.length; from += BATCH) {
    yield* look(Effect.forEach(charges.slice(from, from + BATCH), read, { discard: true }))
  }

  /** Compares a record with its charges. A provider may have one id for all parts. */
  const took = (delivery: Delivery, parts: number): void => {
    const charged = byDelivery.get(delivery.id)
    const expected = Math.min(parts, Math.max(1, delivery.named))
    if (charged === undefined || charged.parts < expected) {
      const says = `${charged?.parts ?? 0} of ${expected} ids of its parts are in the file`
      differences.push({ kind: "not_charged", message: charged?.message ?? null, delivery: delivery.id, says })
      return
    }
    const ours = costOf(delivery)
    if (charged.cost !== null && ours > 0 && charged.cost !== ours) {
      const says = `${charged.cost / 1_000_000} EUR in the file, ${ours / 1_000_000} EUR by its costs`
      differences.push({ kind: "cost", message: charged.message, delivery: delivery.id, says })
    }
  }

  return { differences, took }
})
