import { nextProcessId } from "@watchword/schemas/Ids"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { check, onAccount, same } from "./Case.ts"
import { AT, accountFor, closing, opened, reportOn } from "./Fixtures.ts"

const MINUTE = 60_000

const anyCall = { channel: "call", mode: null, createdFrom: 0, createdBefore: Number.MAX_SAFE_INTEGER } as const

export const processes = [
  check(
    "abandoned: lists a channel's deliveries in a status without an owner, oldest first, in all accounts and modes",
    Effect.gen(function* () {
      const store = yield* Store
      const accounts = [yield* accountFor(5), yield* accountFor(5)] as const
      const ringing = { name: "ringing", rank: 1 }
      const days = (count: number) => ({ at: AT + count * 86_400_000 })
      const call = { channel: "call", status: ringing } as const
      const third = yield* opened(accounts[0], call, days(2))
      const first = yield* opened(accounts[1], call, days(0))
      const second = yield* opened(accounts[0], { ...call, mode: "sandbox" }, days(1))
      const over = yield* opened(accounts[0], call, days(1))
      yield* opened(accounts[0], { status: ringing }, days(0))
      yield* opened(accounts[0], { channel: "call" }, days(0))
      yield* store.report(reportOn(over.id, { status: { name: "ended", rank: 2 } }))
      const found = (limit: number, name = "ringing") => store.abandoned({ ...anyCall, status: name, limit })
      same("all", yield* found(10), [first, second, third])
      same("some", yield* found(2), [first, second])
      same(
        "those that are over",
        (yield* found(10, "ended")).map(({ id }) => id),
        [over.id]
      )
      same("a status that none has", yield* found(10, "nothing"), [])
      const sandbox = { ...anyCall, mode: "sandbox", status: "ringing", limit: 10 } as const
      same("those of the sandbox", yield* store.abandoned(sandbox), [second])
      same("live ones", yield* store.abandoned({ ...sandbox, mode: "live" }), [first, third])
      const between = { createdFrom: second.createdAt, createdBefore: third.createdAt }
      same("those of a time", yield* store.abandoned({ ...sandbox, mode: null, ...between }), [second])
      yield* store.close(closing(first.id, "rejected", { status: { name: "failed", rank: 2 } }))
      same("the rest", yield* found(10), [second, third])
    })
  ),

  onAccount(
    "renewLease: what a process has opened is abandoned unless it has a lease",
    { sends: 9 },
    function* ({ account, store }) {
      const [living, silent] = [nextProcessId(AT), nextProcessId(AT)]
      const ringing = { name: "ringing", rank: 1 }
      yield* store.renewLease({ process: living, duration: MINUTE })
      const mine = yield* opened(account, { channel: "call", status: ringing }, { owner: living })
      const others = yield* opened(account, { channel: "call", status: ringing }, { owner: silent })
      const found = Effect.gen(function* () {
        const rings = yield* store.abandoned({ ...anyCall, status: "ringing", limit: 9 })
        const query = { phase: "pending", createdBefore: AT + 1, limit: 9 } as const
        const pending = yield* store.unresolved({ ...query, abandoned: true })
        same("both ways", pending, rings)
        same("all", (yield* store.unresolved({ ...query, abandoned: false })).length, 2)
        return rings.map(({ id }) => id)
      })
      same("with a lease", yield* found, [others.id])
      yield* store.renewLease({ process: living, duration: 0 })
      same("after the lease", yield* found, [mine.id, others.id])
      yield* store.renewLease({ process: living, duration: MINUTE })
      same("with a lease again", yield* found, [others.id])
    }
  ),

  check(
    "leases: lists those that have not ended",
    Effect.gen(function* () {
      const store = yield* Store
      same("none", yield* store.leases, [])
      const process = nextProcessId(AT)
      const before = yield* Clock.currentTimeMillis
      yield* store.renewLease({ process, duration: MINUTE })
      const [lease, ...others] = yield* store.leases
      same("one", [lease?.process, others], [process, []])
      // The store's clock is another one, and near.
      same("its end", Math.abs((lease?.until ?? 0) - before - MINUTE) < MINUTE / 2, true)
      yield* store.renewLease({ process, duration: 0 })
      same("ended", yield* store.leases, [])
    })
  ),

  onAccount("renewLease: a lease ends by itself when its time is over", { sends: 1 }, function* ({ account, store }) {
    const owner = nextProcessId(AT)
    yield* store.renewLease({ process: owner, duration: 500 })
    const { id } = yield* opened(account, {}, { owner })
    const query = { phase: "pending", createdBefore: AT + 1, abandoned: true, limit: 9 } as const
    const abandoned = Effect.map(store.unresolved(query), (rows) => rows.map((row) => row.id))
    same("before", yield* abandoned, [])
    const after = yield* Effect.repeat(Effect.delay(abandoned, 50), { until: ({ length }) => length > 0 })
    same("after", after, [id])
  })
]

/** For stores whose manifest does not say `cluster`. */
export const succession = [
  onAccount(
    "renewLease: the first lease of a process ends those of all before it",
    { sends: 1 },
    function* ({ account, store }) {
      const [before, after] = [nextProcessId(AT), nextProcessId(AT)]
      yield* store.renewLease({ process: before, duration: MINUTE })
      yield* opened(account, {}, { owner: before })
      const abandoned = Effect.map(
        store.unresolved({ phase: "pending", createdBefore: AT + 1, abandoned: true, limit: 9 }),
        ({ length }) => length
      )
      same("alone", yield* abandoned, 0)
      yield* store.renewLease({ process: after, duration: MINUTE })
      same("followed", yield* abandoned, 1)
    }
  )
]
