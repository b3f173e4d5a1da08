import { AccountId, KeyId, firstUlid } from "@watchword/schemas/Ids"
import { masked } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import type { RefusedQuery, RefusedRequest } from "../RefusedStore.ts"
import { FORGOTTEN } from "../RetentionStore.ts"
import { Store } from "../../Store.ts"
import { check, reopened, same, together } from "./Case.ts"
import { AT, DAY } from "./Fixtures.ts"

const NUMBER = "+4915123456789"

/** The log names accounts and keys that it does not look up. */
const accountOf = (second: number) => AccountId.make(`acc_${firstUlid(second)}`)

/** A request that was refused in a second. */
const request = (second: number, fields: Partial<RefusedRequest> = {}): RefusedRequest => ({
  id: firstUlid(AT + second * 1_000),
  account: accountOf(1),
  mode: "live",
  key: KeyId.make(`key_${firstUlid(1)}`),
  operation: "POST /verifications",
  status: 429,
  code: "TOO_MANY_REQUESTS",
  reason: "limit_number",
  requestId: "0199a1c6-2f00-8000-8000-000000000000",
  client: "2001:db8::/64",
  number: masked(NUMBER),
  count: 1,
  ...fields
})

/** A request whose key is unknown. */
const stranger = (second: number, fields: Partial<RefusedRequest> = {}): RefusedRequest =>
  request(second, {
    account: null,
    mode: null,
    key: null,
    status: 401,
    code: "UNAUTHORIZED",
    reason: null,
    requestId: null,
    client: null,
    number: null,
    ...fields
  })

const add = (...rows: ReadonlyArray<RefusedRequest>) => Store.use((store) => store.addRefused(rows))

const any = { account: null, mode: null, status: null, code: null, operation: null, before: null }

const found = (query: Partial<RefusedQuery> = {}) =>
  Store.use((store) => store.refused({ ...any, since: AT, until: AT + DAY, limit: 100, reach: 100, ...query }))

const listed = (query: Partial<RefusedQuery> = {}) => Effect.map(found(query), ({ rows }) => rows)

const ids = (query: Partial<RefusedQuery> = {}) => Effect.map(listed(query), (all) => all.map(({ id }) => id))

export const refused = [
  check(
    "refused: rows as they were added, the newest first",
    Effect.gen(function* () {
      const [first, second, third] = [request(1), stranger(2), stranger(3, { count: 4_000_000 })]
      yield* add(second, first)
      yield* add(third)
      yield* add()
      same("log", yield* found(), { rows: [third, second, first], next: null })
    })
  ),

  check(
    "addRefused: changes nothing where an id is there already",
    Effect.gen(function* () {
      yield* add(request(1))
      yield* add(request(1, { status: 400 }), request(2))
      same("log", yield* listed(), [request(2), request(1)])
    })
  ),

  check(
    "refused: are those of a time, before an id, and so many",
    Effect.gen(function* () {
      const all = [1, 2, 3, 4].map((second) => request(second))
      yield* add(...all)
      const [one = "", two = "", three = "", four = ""] = all.map(({ id }) => id)
      same("since", yield* ids({ since: AT + 3_000 }), [four, three])
      same("until", yield* ids({ until: AT + 3_000 }), [two, one])
      same("before", yield* found({ before: three }), { rows: [request(2), request(1)], next: null })
      same("some", yield* found({ limit: 2 }), { rows: [request(4), request(3)], next: three })
      same("a page", yield* ids({ since: AT + 2_000, before: four, limit: 1 }), [three])
    })
  ),

  check(
    "refused: are those of an account, a mode, a status, a code and an operation",
    Effect.gen(function* () {
      const [mine, sandbox, other, unknown] = [
        request(1),
        request(2, { mode: "sandbox", operation: "POST /sms" }),
        request(3, { account: accountOf(2), status: 409, code: "CONFLICT" }),
        stranger(4)
      ]
      yield* add(mine, sandbox, other, unknown)
      same("account", yield* listed({ account: accountOf(1) }), [sandbox, mine])
      same("mode", yield* listed({ account: accountOf(1), mode: "live" }), [mine])
      same("modes of all", yield* listed({ mode: "live" }), [other, mine])
      same("status", yield* listed({ status: 401 }), [unknown])
      same("code", yield* listed({ code: "CONFLICT" }), [other])
      same("operation", yield* listed({ operation: "POST /sms" }), [sandbox])
      same("none", yield* found({ status: 402 }), { rows: [], next: null })
    })
  ),

  check(
    "refused: looks at so many rows, and continues behind them",
    Effect.gen(function* () {
      yield* add(request(1, { status: 402 }), ...[2, 3, 4, 5].map((second) => request(second)))
      const first = yield* found({ status: 402, reach: 3 })
      same("first", first, { rows: [], next: request(3).id })
      same("next", yield* found({ status: 402, reach: 3, before: first.next }), {
        rows: [request(1, { status: 402 })],
        next: null
      })
      same("all looked at", yield* found({ status: 400, reach: 5 }), { rows: [], next: null })
      yield* add(stranger(6), stranger(7))
      same("of the account", yield* found({ account: accountOf(1), status: 402, reach: 5 }), {
        rows: [request(1, { status: 402 })],
        next: null
      })
    })
  ),

  check(
    "pruneRefused: deletes the oldest of before a time, and so many",
    Effect.gen(function* () {
      const store = yield* Store
      yield* add(...[1, 2, 3, 4].map((second) => request(second)))
      const old = { before: AT + 4_000, most: 100, limit: 2 }
      same("pruned", yield* store.pruneRefused(old), 2)
      same("left", yield* ids(), [request(4).id, request(3).id])
      same("pruned", yield* store.pruneRefused(old), 1)
      same("pruned", yield* store.pruneRefused(old), 0)
      same("left", yield* listed({ account: accountOf(1) }), [request(4)])
    })
  ),

  check(
    "pruneRefused: deletes the excess, the oldest first, and so many",
    Effect.gen(function* () {
      const store = yield* Store
      same("of none", yield* store.pruneRefused({ before: AT, most: 2, limit: 10 }), 0)
      yield* add(...[1, 2, 3, 4, 5].map((second) => request(second)))
      same("pruned", yield* store.pruneRefused({ before: AT, most: 2, limit: 2 }), 2)
      same("pruned", yield* store.pruneRefused({ before: AT, most: 2, limit: 2 }), 1)
      same("pruned", yield* store.pruneRefused({ before: AT, most: 2, limit: 2 }), 0)
      same("left", yield* ids(), [request(5).id, request(4).id])
      yield* add(request(6))
      same("old and in excess", yield* store.pruneRefused({ before: AT + 5_000, most: 2, limit: 10 }), 1)
      same("left", yield* ids(), [request(6).id, request(5).id])
    })
  ),

  check(
    "forget: takes a number out of the log of refused requests",
    Effect.gen(function* () {
      const store = yield* Store
      const other = request(2, { number: masked("+4420123456") })
      yield* add(request(1), other, stranger(3))
      yield* store.forget({ to: NUMBER, settings: [] })
      same("log", yield* listed(), [stranger(3), other, request(1, { number: FORGOTTEN })])
    })
  )
]

export const lastingRefused = [
  reopened("refused requests survive the end of the process", add(request(1), stranger(2)), () =>
    Effect.map(listed(), (all) => same("log", all, [stranger(2), request(1)]))
  )
]

export const sharedRefused = [
  together("refused requests of two processes are in one log", (one, other) =>
    Effect.gen(function* () {
      yield* other.addRefused([request(2)])
      yield* one.addRefused([request(1)])
      const { rows } = yield* one.refused({ ...any, since: AT, until: AT + DAY, limit: 10, reach: 10 })
      same("log", rows, [request(2), request(1)])
    })
  )
]
