import { zero } from "@watchword/schemas/Money"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { tryRules } from "../../src/commands/GuardTryCommand.ts"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { onSqlite, sent } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

const limits = [{ name: "number", by: ["to"], rates: ["2/1d"] }]

describe("guard try", () => {
  it("says how many requests of the last hour rules would have refused, and by which rule", async () => {
    const account = await run(
      Effect.gen(function* () {
        const account = yield* accountFor(99)
        const ask = (ago: number, fields: Parameters<typeof sent>[2] = {}) =>
          sent(account, ago, { channel: "verify", price: zero, to: "+4915123456789", ...fields })
        // The first one counts towards the limit of a day, and is not of the last hour.
        yield* ask(7_200)
        for (const ago of [300, 200, 100]) yield* ask(ago)
        yield* ask(50, { to: "+33612345678" })
        yield* ask(40, { mode: "sandbox" })
        yield* sent(yield* accountFor(99), 30, { channel: "verify", price: zero, to: "+4915123456789" })
        return account
      })
    )
    expect(await ask(tryRules, { account_id: account, rules: { limits, countries: { deny: ["FR"] } } })).toMatchObject({
      account_id: account,
      requests: 4,
      refused: 3,
      rules: [
        { rule: "limit_number", refused: 2 },
        { rule: "country_not_allowed", refused: 1 }
      ]
    })
    expect(await read(tryRules, { account_id: account, rules: { limits } })).toEqual([
      "Of 4 live requests of the last hour, the rules would have refused 2.",
      "limit_number  2"
    ])
    expect(await ask(tryRules, { account_id: account, rules: {} })).toMatchObject({ refused: 0, rules: [] })
    await expect(ask(tryRules, { account_id: account, rules: { limits: [{ name: "x" }] } })).rejects.toMatchObject({
      message: "The guard rules are not valid."
    })
  })
})
