import { EntryId, nextAccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Entry } from "../../Account.ts"
import { onAccount, same } from "./Case.ts"
import { AT, PRICE, accountFor, closing, ledgerOf, opened } from "./Fixtures.ts"

/** The entries that sends leave in the ledgers of accounts. */
export const ledger = [
  onAccount("entries: names both sides of each movement", { sends: 2 }, function* ({ account, store }) {
    const kept = yield* opened(account, {}, { at: AT + 1 })
    const lost = yield* opened(account, {}, { at: AT + 2 })
    yield* store.close(closing(kept.id, "accepted", { at: AT + 3 }))
    yield* store.close(closing(lost.id, "rejected", { at: AT + 4 }))
    const sides = (yield* ledgerOf(account)).map(
      ({ amount, at, delivery, from, kind, to }) => `${kind} ${from} ${to} ${amount / PRICE} ${delivery} ${at - AT}`
    )
    same("entries", sides, [
      "credit funding available 2 null 0",
      `hold available held 1 ${kept.id} 1`,
      `hold available held 1 ${lost.id} 2`,
      `settle held revenue 1 ${kept.id} 3`,
      `release held available 1 ${lost.id} 4`
    ])
  }),

  onAccount(
    "entries: come oldest first, page by page, and each has an id of its own",
    { sends: 20 },
    function* ({ account, store }) {
      const other = yield* accountFor(1)
      yield* opened(other)
      yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
        Effect.flatMap(opened(account, {}, { at: AT - index }), ({ id }) => store.close(closing(id, "accepted")))
      )
      const all = yield* ledgerOf(account)
      same("how many", all.length, 25)
      same("how many ids", new Set(all.map(({ id }) => id)).size, 25)
      same(
        "ids",
        all.every(({ id }) => Schema.is(EntryId)(id)),
        true
      )
      same(
        "owner",
        all.every((entry) => entry.account === account),
        true
      )
      for (const limit of [1, 7, 25]) {
        const paged: Array<Entry> = []
        for (;;) {
          const page = yield* store.entries({ account, after: paged.at(-1)?.id ?? null, limit })
          if (page.length === 0) break
          paged.push(...page)
        }
        same(`pages of ${limit}`, paged, [...all])
        const backwards: Array<Entry> = []
        for (;;) {
          const after = backwards.at(-1)?.id ?? null
          const page = yield* store.entries({ account, after, limit, newestFirst: true })
          if (page.length === 0) break
          backwards.push(...page)
        }
        same(`pages of ${limit}, the newest first`, backwards, all.toReversed())
      }
      same("none of an unknown account", yield* ledgerOf(nextAccountId(AT)), [])
    }
  )
]
