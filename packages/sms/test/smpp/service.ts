/**
 * The SMS channel on a store in memory, with a gateway and an account that has money.
 */
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Records from "@watchword/records/Records"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Account"
import { SendSms } from "@watchword/schemas/Sms"
import { heartbeatLayer, observedStore } from "@watchword/send/pipeline"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import * as Sms from "@watchword/sms/Sms"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import { memory } from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { whatIsSet } from "../../../../test/whatIsSet.ts"

/** Of a part. */
export const PRICE = 10_000
export const FUNDS = 10_000_000

export const body = Schema.decodeUnknownSync(SendSms)

export const layer = (gateway: SmsGateway["Service"]) =>
  Sms.layer.pipe(
    Layer.provide(Layer.succeed(SmsGateway, gateway)),
    Layer.provideMerge(Layer.mergeAll(Send.layer, Records.layer, Ledger.layer, Accounts.layer, Settings.layer)),
    Layer.provide(Layer.succeed(PriceTable.Prices, Result.getOrThrow(PriceTable.parse({ sms: { "*": "0.01" } })))),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Layer.provide(observedStore, memory()))
  )

/** A live principal of an account with {@link FUNDS}. */
export const funded = Effect.gen(function* () {
  const accounts = yield* Accounts.Accounts
  const ledger = yield* Ledger.Ledger
  const account = yield* accounts.create({})
  yield* ledger.credit(account.id, MicroEuros.make(FUNDS))
  const principal: Principal = { account, mode: "live", key: null, scopes: null }
  return principal
})
