import { describe, expect } from "@effect/vitest"
import { ListBody } from "@watchword/pagination/Page"
import * as Ledger from "@watchword/ledger/Ledger"
import { noKeys } from "@watchword/send/Claims"
import * as Sms from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventually, test } from "../../../../test/live.ts"
import { startBound, startCarrier, until } from "./fixture.ts"
import { FUNDS, PRICE, body, funded, layer } from "./service.ts"
import { receipt } from "@watchword/sandbox/smsc"

const page = Schema.decodeUnknownSync(ListBody)

describe("a text of several parts whose answers were lost", () => {
  for (const [stats, status] of [
    [["DELIVRD", "DELIVRD", "DELIVRD"], "delivered"],
    [["DELIVRD", "UNDELIV", "DELIVRD"], "undelivered"]
  ] as const) {
    test(
      `is ${status} when the receipts of its parts say ${stats.join(", ")}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({ submit: () => "silence" })
        const gateway = yield* startBound(carrier.url("timeout=1&enquire=3600"))
        yield* Effect.gen(function* () {
          const sms = yield* Sms.Sms
          const ledger = yield* Ledger.Ledger
          const principal = yield* funded
          const text = body({ to: "+4915123456789", text: "a".repeat(153 * stats.length) })
          expect((yield* Effect.flip(sms.send(principal, text, noKeys)))._tag).toBe("TEMPORARY_UNAVAILABLE")
          expect((yield* ledger.balance(principal.account.id)).held).toBe(PRICE * stats.length)
          for (const [index, submit] of carrier.submits.entries()) {
            carrier.deliver(receipt({ ...submit, id: `m${index}` }, stats[index]).fields)
          }
          yield* until(carrier, () => carrier.acknowledgements.length === stats.length)
          expect(carrier.acknowledgements).toEqual(stats.map(() => 0))
          const records = Effect.orDie(sms.list(principal, page({})))
          yield* eventually(Effect.map(records, ({ list }) => list[0]?.status === status))
          const { held, posted } = yield* ledger.balance(principal.account.id)
          expect([held, posted]).toEqual([0, FUNDS - PRICE * stats.length])
        }).pipe(Effect.provide(layer(gateway)))
      })
    )
  }
})
