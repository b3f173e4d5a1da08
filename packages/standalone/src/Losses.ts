/**
 * Prices below cost: where a route sells messages for less than one of its carriers asks.
 */
import type { PriceTable } from "@watchword/ledger/PriceTable"
import { type MicroEuros, toEuros } from "@watchword/schemas/Money"
import * as Prefixes from "@watchword/schemas/Prefixes"
import type { Costs, RouteTable } from "@watchword/send/routes"
import * as Option from "effect/Option"
import type { Settings } from "./settings/Settings.ts"

type Priced = Pick<Settings, "carriers" | "prices">

/** How many sentences there are at most, and how many prefixes one names. */
const MOST = 10
const NAMED = 5

/** One sentence for each pair of a price and a cost, the largest loss first. */
export const losses = ({ carriers, prices }: Priced): ReadonlyArray<string> => {
  const { byProduct } = Option.getOrElse(prices, () => ({ byProduct: NONE }))
  const { carriers: named, routes } = Option.getOrElse(carriers, () => ({ carriers: [], routes: NONE }))
  const groups = [...routes].flatMap(([channel, table]) => {
    const sold = byProduct.get(channel)
    const costs = new Map(named.flatMap(({ costs, name }) => (costs === null ? [] : [[name, costs] as const])))
    return sold === undefined ? [] : grouped(channel, inTable(sold, table, costs))
  })
  const worst = groups.toSorted((one, other) => other.cost - other.price - (one.cost - one.price))
  return worst.length <= MOST
    ? worst.map(sentence)
    : [...worst.slice(0, MOST).map(sentence), `${worst.length - MOST} more prices are below cost.`]
}

/** The same, computed again only once a reload has replaced prices or carriers. */
export const remembered = (settings: Priced): (() => ReadonlyArray<string>) => {
  const parts = (): ReadonlyArray<unknown> => [
    Option.getOrNull(settings.prices)?.byProduct,
    Option.getOrNull(settings.carriers)?.carriers,
    Option.getOrNull(settings.carriers)?.routes
  ]
  let of = parts()
  let last = losses(settings)
  return () => {
    const now = parts()
    if (now.some((part, place) => part !== of[place])) [of, last] = [now, losses(settings)]
    return last
  }
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>()

/** A price that is lower than the cost by a carrier, for a part or a call. */
interface Loss {
  readonly carrier: string
  readonly price: MicroEuros
  readonly cost: MicroEuros
  /** Prefixes whose numbers have this price and this cost. */
  readonly prefixes: ReadonlyArray<string>
}

interface Group extends Loss {
  readonly channel: string
}

type Prices = NonNullable<ReturnType<PriceTable["byProduct"]["get"]>>

/**
 * The losses at each prefix of the tables. All numbers with the same longest prefix have one price, one route and one
 * cost by each carrier.
 */
const inTable = (
  prices: Prices,
  routes: RouteTable,
  costs: ReadonlyMap<string, Costs>
): ReadonlyMap<string, ReadonlyArray<Loss>> => {
  const tables = [prices, routes, ...costs.values()]
  const prefixes = new Set(tables.flatMap(({ byPrefix }) => [...byPrefix.keys()]))
  const longest = Math.max(...tables.map((table) => table.longest))
  const all: Prefixes.Prefixes<true> = { byPrefix: new Map([...prefixes].map((each) => [each, true])), longest }
  const at = (prefix: string): ReadonlyArray<Loss> => {
    const price = find(prices, prefix)
    const route = find(routes, prefix)
    if (price === undefined || route === undefined) return []
    return route.via.flatMap(({ carrier }) => {
      const table = costs.get(carrier)
      const cost = table === undefined ? undefined : find(table, prefix)
      const isAsked = cost !== undefined && (route.maxCost === null || cost <= route.maxCost)
      return isAsked && cost > price ? [{ carrier, cost, price, prefixes: [prefix] }] : []
    })
  }
  const found = new Map([...prefixes].map((prefix) => [prefix, at(prefix)]))
  // A longer prefix that sells at the same loss says nothing more.
  const isNew = (prefix: string, loss: Loss): boolean => {
    const shorter = found.get(shorterThan(all, prefix) ?? "") ?? []
    return !shorter.some(({ carrier, cost, price }) => nameOf({ carrier, cost, price }) === nameOf(loss))
  }
  return new Map([...found].map(([prefix, all]) => [prefix, all.filter((loss) => isNew(prefix, loss))]))
}

const nameOf = ({ carrier, cost, price }: Pick<Loss, "carrier" | "cost" | "price">): string =>
  `${carrier} ${price} ${cost}`

const grouped = (channel: string, found: ReadonlyMap<string, ReadonlyArray<Loss>>): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const loss of [...found.values()].flat()) {
    const name = nameOf(loss)
    const before = groups.get(name)?.prefixes ?? []
    groups.set(name, { ...loss, channel, prefixes: [...before, ...loss.prefixes] })
  }
  return [...groups.values()]
}

/** The longest prefix in a table that a prefix begins with, or is; `*` where the table has it. */
const prefixIn = ({ byPrefix, longest }: Prefixes.Prefixes<unknown>, prefix: string): string | undefined => {
  for (let digits = Math.min(longest, prefix.length); digits > 0; digits--) {
    const shorter = prefix.slice(0, digits)
    if (byPrefix.has(shorter)) return shorter
  }
  return byPrefix.has(Prefixes.OTHERS) ? Prefixes.OTHERS : undefined
}

const find = <A>(table: Prefixes.Prefixes<A>, prefix: string): A | undefined => {
  const key = prefixIn(table, prefix)
  return key === undefined ? undefined : table.byPrefix.get(key)
}

const shorterThan = (table: Prefixes.Prefixes<unknown>, prefix: string): string | undefined =>
  prefix === Prefixes.OTHERS ? undefined : prefixIn(table, prefix.slice(0, -1))

const sentence = ({ carrier, channel, cost, prefixes, price }: Group): string => {
  const shown = prefixes.toSorted().slice(0, NAMED)
  const more = prefixes.length - shown.length
  const places = more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more prefixes`
  return `${channel} to ${places} sells for ${toEuros(price)} EUR and costs ${toEuros(cost)} EUR by ${carrier}.`
}
