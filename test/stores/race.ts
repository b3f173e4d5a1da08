/**
 * A process that makes the same account as others do at the same time, and opens a hundred sends of the hundred that
 * all of them can pay for: `node race.ts ADDRESS`. It prints how many opens had which answer.
 */
import { AccountId, EntryId, nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { MicroEuros, PositiveMicroEuros } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { layerOf } from "./layerOf.ts"
import { someAccount } from "../accounts.ts"

const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000000")
const credit = EntryId.make("01KAJ3T8ZZ0000000000000000")
const PRICE = 50_000
const at = Date.now()

const program = Effect.gen(function* () {
  const store = yield* Store
  yield* store.createAccount(someAccount({ id: account, createdAt: at }))
  yield* store.credit({ id: credit, account, amount: PositiveMicroEuros.make(100 * PRICE), at })
  const tally: Record<string, number> = {}
  for (let round = 0; round < 10; round++) {
    const answers = yield* Effect.forEach(
      Array.from({ length: 10 }),
      () =>
        store.open({
          delivery: {
            id: nextDeliveryId(at),
            account,
            mode: "live",
            channel: "sms",
            to: "+4915123456789",
            from: null,
            status: { name: "sent", rank: 0 },
            price: MicroEuros.make(PRICE),
            parts: 1,
            reference: null,
            details: {}
          },
          claims: [],
          owner: nextProcessId(0),
          at
        }),
      { concurrency: "unbounded" }
    )
    for (const { _tag } of answers) tally[_tag] = (tally[_tag] ?? 0) + 1
  }
  return tally
})

console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, layerOf(process.argv[2] ?? "")))))
