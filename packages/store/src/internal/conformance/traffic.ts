import { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { AMOUNTS, DIMENSIONS, type TrafficQuery, type TrafficRow, hourOf, keptSince } from "../../Traffic.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, atOnce } from "./Fixtures.ts"

const hour = hourOf(AT)
const one = AccountId.make("acc_01KH3Z8Q5W0000000000000001")
const other = AccountId.make("acc_01KH3Z8Q5W0000000000000002")

/** A row whose amounts are an amount and as many times that as their places say. */
const row = (amount: number, key: Partial<TrafficRow["key"]> = {}): TrafficRow => ({
  key: { hour, account: one, mode: "live", channel: "sms", carrier: "acme", country: "DE", ...key },
  amounts: Array.from({ length: AMOUNTS }, (_, place) => amount * (place + 1))
})

const add = (...rows: ReadonlyArray<TrafficRow>) => Store.use((store) => store.addTraffic(rows))

const sums = (query: Partial<TrafficQuery> = {}) =>
  Store.use((store) => store.traffic({ since: hour - 9, until: hour + 9, account: null, by: [], ...query }))

/** The first amounts of sums, with the dimensions that they are apart by. */
const firsts = (query: Partial<TrafficQuery>) =>
  Effect.map(sums(query), (found) => found.map(({ amounts: [first], key }) => [...Object.values(key), first]))

export const traffic = [
  check(
    "traffic: adds up the amounts of a row, those that are taken back too",
    Effect.gen(function* () {
      same("nothing", yield* sums(), [])
      yield* add(row(5), row(2, { country: "FR" }))
      yield* add(row(4_000_000_000_000))
      yield* add(row(-1))
      same("rows", yield* sums({ by: DIMENSIONS }), [row(4_000_000_000_004), row(2, { country: "FR" })])
      same("sum", yield* sums(), [{ key: {}, amounts: row(4_000_000_000_006).amounts }])
      yield* add()
      same("no rows", yield* firsts({}), [[4_000_000_000_006]])
    })
  ),

  check(
    "traffic: keeps each dimension apart, and sums over the others",
    Effect.gen(function* () {
      const keys: ReadonlyArray<Partial<TrafficRow["key"]>> = [
        {},
        { hour: hour + 1 },
        { account: other },
        { mode: "sandbox" },
        { channel: "call" },
        { carrier: "" },
        { carrier: 'Acme\'s "ü"' },
        { country: "" }
      ]
      yield* add(...keys.map((key, place) => row(2 ** place, key)))
      yield* add(...keys.map((key, place) => row(2 ** place, key)).toReversed())
      same("all", (yield* sums({ by: DIMENSIONS })).length, keys.length)
      same("hours", yield* firsts({ by: ["hour"] }), [
        [hour, 506],
        [hour + 1, 4]
      ])
      same("modes", yield* firsts({ by: ["mode"] }), [
        ["live", 494],
        ["sandbox", 16]
      ])
      same("channels and countries", yield* firsts({ by: ["country", "channel"] }), [
        ["call", "DE", 32],
        ["sms", "", 256],
        ["sms", "DE", 222]
      ])
      same("carriers", yield* firsts({ by: ["carrier"] }), [
        ["", 64],
        ['Acme\'s "ü"', 128],
        ["acme", 318]
      ])
    })
  ),

  check(
    "traffic: answers the hours of a query, and one account where it names one",
    Effect.gen(function* () {
      for (const each of [-2, -1, 0, 1]) yield* add(row(10 ** (each + 2), { hour: hour + each }))
      yield* add(row(5, { account: other }))
      same("until is left out", yield* firsts({ since: hour - 1, until: hour + 1 }), [[115]])
      same("one account", yield* firsts({ since: hour, account: other, by: ["account"] }), [[other, 5]])
      same("nothing", yield* firsts({ since: hour + 2 }), [])
    })
  ),

  check(
    "traffic: sums whole days, and the hours before and after them",
    Effect.gen(function* () {
      const day = Math.floor(hour / 24) * 24
      const hours = [day - 25, day - 2, day, day + 5, day + 24, day + 47, day + 48, day + 60]
      for (const [place, each] of hours.entries()) yield* add(row(2 ** place, { hour: each }))
      yield* add(row(1000 * hours.length, { hour: day + 5, country: "FR" }), row(-1, { hour: day + 24 }))
      for (const [since, until] of [
        [day - 25, day + 61],
        [day - 2, day + 48],
        [day, day + 24],
        [day - 1, day + 49],
        [day + 1, day + 23],
        [day + 5, day + 47]
      ] as const) {
        const apart = yield* firsts({ since, until, by: ["hour", "country"] })
        const total = (country: string) =>
          apart.reduce((sum, [, each, amount]) => sum + (each === country ? Number(amount) : 0), 0)
        const wanted = ["DE", "FR"].map((country) => [country, total(country)]).filter(([, amount]) => amount !== 0)
        same(`${since - day} to ${until - day}`, yield* firsts({ since, until, by: ["country"] }), wanted)
      }
    })
  ),

  check(
    "traffic: of a hundred additions at once none is lost or counted twice",
    Effect.gen(function* () {
      const rows = [row(1), row(1, { country: "FR" }), row(1, { hour: hour + 1 })]
      yield* atOnce(100, (index) => add(...(index % 2 === 0 ? rows : rows.toReversed())))
      same("sums", yield* firsts({ by: ["hour", "country"] }), [
        [hour, "DE", 100],
        [hour, "FR", 100],
        [hour + 1, "DE", 100]
      ])
    })
  ),

  check(
    "sweep: deletes traffic that is too old",
    Effect.gen(function* () {
      const store = yield* Store
      yield* add(row(1, { hour: keptSince(AT) - 1 }), row(2, { hour: keptSince(AT) }), row(4))
      yield* store.sweep({ at: AT, unmatchedBefore: 0, unmatchedLimit: 9 })
      same("left", yield* firsts({ since: 0, by: ["hour"] }), [
        [keptSince(AT), 2],
        [hour, 4]
      ])
    })
  )
]

/** For stores whose manifest says `durable`. */
export const lastingTraffic = [
  reopened("durable: traffic is still there", add(row(3)), () =>
    Effect.gen(function* () {
      same("sum", yield* firsts({}), [[3]])
    })
  )
]

/** For stores whose manifest says `shared`. */
export const sharedTraffic = [
  together("shared: additions of both add up", (here, there) =>
    Effect.gen(function* () {
      yield* atOnce(50, (index) => (index % 2 === 0 ? here : there).addTraffic([row(1)]))
      same("sum", yield* firsts({}), [[50]])
    })
  )
]
