import { nextProcessId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import { Store } from "../../Store.ts"
import { check, same } from "./Case.ts"
import { AT, accountFor, closing, opened, reportOn } from "./Fixtures.ts"

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
      const found = (limit: number, name = "ringing") =>
        store.abandoned({ channel: "call", status: name, at: AT, limit })
      same("all", yield* found(10), [first, second, third])
      same("some", yield* found(2), [first, second])
      same(
        "those that are over",
        (yield* found(10, "ended")).map(({ id }) => id),
        [over.id]
      )
      same("a status that none has", yield* found(10, "nothing"), [])
      yield* store.close(closing(first.id, "rejected", { status: { name: "failed", rank: 2 } }))
      same("the rest", yield* found(10), [second, third])
    })
  ),

  check(
    "renewLease: what a process has opened is abandoned when its time is over, and not before",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(9)
      const [living, silent] = [nextProcessId(AT), nextProcessId(AT)]
      const ringing = { name: "ringing", rank: 1 }
      yield* store.renewLease({ process: living, at: AT, until: AT + 100 })
      const mine = yield* opened(account, { channel: "call", status: ringing }, { owner: living })
      const others = yield* opened(account, { channel: "call", status: ringing }, { owner: silent })
      const found = Effect.fnUntraced(function* (at: number) {
        const rings = yield* store.abandoned({ channel: "call", status: "ringing", at, limit: 9 })
        const query = { phase: "pending", createdBefore: AT + 1, limit: 9 } as const
        const pending = yield* store.unresolved({ ...query, abandonedAt: at })
        same("both ways", pending, rings)
        same("all", (yield* store.unresolved({ ...query, abandonedAt: null })).length, 2)
        return rings.map(({ id }) => id)
      })
      same("with a lease", yield* found(AT + 99), [others.id])
      same("after the lease", yield* found(AT + 100), [mine.id, others.id])
      yield* store.renewLease({ process: living, at: AT + 100, until: AT + 200 })
      same("with a lease again", yield* found(AT + 150), [others.id])
      yield* store.renewLease({ process: living, at: AT + 160, until: AT + 160 })
      same("ended", yield* found(AT + 160), [mine.id, others.id])
    })
  )
]

/** For stores whose manifest does not say `cluster`. */
export const succession = [
  check(
    "renewLease: the first lease of a process ends those of all before it",
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const [before, after] = [nextProcessId(AT), nextProcessId(AT)]
      yield* store.renewLease({ process: before, at: AT, until: AT + 100 })
      yield* opened(account, {}, { owner: before })
      const abandoned = (abandonedAt: number) =>
        Effect.map(
          store.unresolved({ phase: "pending", createdBefore: AT + 1, abandonedAt, limit: 9 }),
          ({ length }) => length
        )
      same("alone", yield* abandoned(AT + 1), 0)
      yield* store.renewLease({ process: after, at: AT + 1, until: AT + 101 })
      same("followed", yield* abandoned(AT + 1), 1)
    })
  )
]
