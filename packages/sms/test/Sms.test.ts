import { assert, describe, it } from "@effect/vitest"
import { ListBody } from "@watchword/pagination/Page"
import * as Ledger from "@watchword/ledger/Ledger"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Records from "@watchword/records/Records"
import { RequestId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { SendSms, Text } from "@watchword/schemas/Sms"
import { BackgroundAllowed, WaitUntil, heartbeatLayer } from "@watchword/send/pipeline"
import { noKeys } from "@watchword/send/Claims"
import { accepted } from "@watchword/send/Outcome"
import * as Send from "@watchword/send/Send"
import * as Settings from "@watchword/store/Settings"
import * as Sms from "@watchword/sms/Sms"
import { type Message, SmsGateway } from "@watchword/sms/SmsGateway"
import { makeMemory } from "@watchword/store/MemoryStore"
import { type Service as StoreService, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { watched } from "../../../test/watchedStore.ts"
import { whatIsSet } from "../../../test/whatIsSet.ts"

const german = "+4915123456789"

const layerOn = (store: StoreService) =>
  Sms.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Send.layer, Records.layer, Ledger.layer, Accounts.layer, Settings.layer)),
    Layer.provide(Layer.succeed(PriceTable.Prices, Result.getOrThrow(PriceTable.parse({ sms: { "*": "0.05" } })))),
    Layer.provideMerge(whatIsSet),
    Layer.provideMerge(heartbeatLayer),
    Layer.provideMerge(Layer.succeed(Store, store))
  )

const layer = Layer.unwrap(Effect.sync(() => layerOn(makeMemory())))

const principal = Effect.fnUntraced(function* (mode: Principal["mode"], account: Accounts.NewAccount = {}) {
  const accounts = yield* Accounts.Accounts
  const made: Principal = { account: yield* accounts.create(account), mode, key: null, scopes: null }
  return made
})

const body = Schema.decodeUnknownSync(SendSms)
const page = Schema.decodeUnknownSync(ListBody)

const message = (to: string, text = "Your code is 123456") => body({ to, text })

describe("the SMS channel in the sandbox", () => {
  it.effect("sends with the account's sender, and the record becomes delivered after a second", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox", { smsSender: "Acme" })
      const sent = yield* sms.send(acme, message(german), noKeys)
      assert.deepStrictEqual([sent.from, sent.to], ["Acme", german])
      assert.strictEqual((yield* sms.get(acme, sent.messageId)).status, "sent")
      yield* TestClock.adjust("999 millis")
      assert.strictEqual((yield* sms.get(acme, sent.messageId)).status, "sent")
      yield* TestClock.adjust("1 millis")
      const record = yield* sms.get(acme, sent.messageId)
      assert.strictEqual(record.status, "delivered")
      assert.strictEqual(record.timestamp, "1970-01-01T00:00:01.000Z")
      assert.strictEqual(record.created_at, "1970-01-01T00:00:00.000Z")
      assert.strictEqual(record.price, 0)
    }).pipe(Effect.provide(layer))
  )

  it.effect.each([
    ["0001", "sent"],
    ["0002", "undelivered"],
    ["0004", "undelivered"],
    ["0003", "delivered"],
    ["0486", "delivered"],
    ["0603", "delivered"]
  ])("a number that ends in %s ends as %s", ([digits, status]) =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const sent = yield* sms.send(acme, message(`+491512345${digits}`), noKeys)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* sms.get(acme, sent.messageId)).status, status)
    }).pipe(Effect.provide(layer))
  )

  it.effect.each([
    ["0402", "PAYMENT_REQUIRED", 0],
    ["0480", "TEMPORARY_UNAVAILABLE", 1],
    ["0503", "SERVICE_UNAVAILABLE", 1]
  ])("a number that ends in %s is answered %s", ([digits, code, recorded]) =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const error = yield* Effect.flip(sms.send(acme, message(`+491512345${digits}`), noKeys))
      assert.strictEqual(error._tag, code)
      const { list, total } = yield* sms.list(acme, page({}))
      assert.strictEqual(total, recorded)
      for (const record of list) assert.strictEqual(record.status, "failed")
    }).pipe(Effect.provide(layer))
  )

  it.effect("a long text is delivered in parts", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const sent = yield* sms.send(acme, message(german, "a".repeat(400)), noKeys)
      yield* TestClock.adjust("1 second")
      const record = yield* sms.get(acme, sent.messageId)
      assert.deepStrictEqual([record.parts, record.status], [3, "delivered"])
    }).pipe(Effect.provide(layer))
  )
})

describe("the steps of a send in the sandbox", () => {
  const keys = { ...noKeys, requestId: RequestId.make("4f1b6f0e-8a39-4a4f-9a39-1f1f0f4f5b11") }

  it.effect("are one before the answer, and one for the receipt", () => {
    const { service, steps } = watched()
    return Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      yield* sms.send(acme, message(german), noKeys)
      yield* Effect.flip(sms.send(acme, message("+4915123450480"), noKeys))
      assert.deepStrictEqual(steps, ["open", "open"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "report"])
    }).pipe(Effect.provide(layerOn(service)))
  })

  it.effect("have no receipt when the send was not let through", () => {
    const { away, service, steps } = watched()
    return Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      yield* sms.send(acme, message(german), keys)
      assert.strictEqual((yield* Effect.flip(sms.send(acme, message(german), keys)))._tag, "CONFLICT")
      away.open = true
      assert.strictEqual((yield* Effect.flip(sms.send(acme, message(german), noKeys)))._tag, "StoreError")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "open", "report"])
    }).pipe(Effect.provide(layerOn(service)))
  })

  it.effect("leave the receipt running where nothing runs by itself, and nothing for what was not let through", () => {
    const { service, steps } = watched()
    const layer = Layer.provide(layerOn(service), Layer.succeed(BackgroundAllowed, false))
    const left: Array<unknown> = []
    return Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      yield* sms.send(acme, message(german), keys)
      yield* Effect.flip(sms.send(acme, message(german), keys))
      assert.strictEqual(left.length, 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "report"])
    }).pipe(
      Effect.provideService(WaitUntil, (fiber) => void left.push(fiber)),
      Effect.provide(layer)
    )
  })
})

describe("live keys", () => {
  it.effect("are answered 503 where there is no gateway, and nothing is recorded or charged", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const ledger = yield* Ledger.Ledger
      const acme = yield* principal("live")
      yield* ledger.credit(acme.account.id, MicroEuros.make(1_000_000))
      const error = yield* Effect.flip(sms.send(acme, message(german), noKeys))
      assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
      assert.strictEqual((yield* sms.list(acme, page({}))).total, 0)
      assert.strictEqual((yield* ledger.balance(acme.account.id)).available, 1_000_000)
    }).pipe(Effect.provide(layer))
  )
})

/** A carrier that takes every message. */
const carrier = (messages: Array<Message> = []) =>
  Layer.succeed(SmsGateway, {
    send: (message) => {
      messages.push(message)
      return Effect.succeed(accepted(["ref-1"]))
    },
    events: () => Effect.void,
    health: Effect.succeed([])
  })

/** A live principal with a euro. */
const payer = Effect.fnUntraced(function* (account: Accounts.NewAccount = {}) {
  const ledger = yield* Ledger.Ledger
  const made = yield* principal("live", account)
  yield* ledger.credit(made.account.id, MicroEuros.make(1_000_000))
  return made
})

describe("a message to the gateway", () => {
  it.effect.each<readonly [object, Partial<Message>]>([
    [{}, { ttl: null, hasCode: true, tlvs: [] }],
    [{ text: "Welcome" }, { ttl: null, hasCode: false, tlvs: [] }],
    [
      { ttl: 90, tlvs: { "3FFF": "x" } },
      { ttl: 90, hasCode: true, tlvs: [{ tag: 0x3fff, value: "x" }] }
    ]
  ])("has what is asked for in %j", ([fields, expected]) => {
    const messages: Array<Message> = []
    return Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* payer()
      yield* sms.send(acme, body({ to: german, text: "Your code is 123456", ...fields }), noKeys)
      assert.lengthOf(messages, 1)
      assert.deepInclude(messages[0], { account: acme.account.id, ...expected })
    }).pipe(Effect.provide(Layer.provide(layer, carrier(messages))))
  })
})

describe("records", () => {
  it.effect("are of one account and one mode", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const sent = yield* sms.send(acme, message(german), noKeys)
      const strangers = [yield* principal("sandbox"), { ...acme, mode: "live" } as const]
      for (const stranger of strangers) {
        assert.strictEqual((yield* Effect.flip(sms.get(stranger, sent.messageId)))._tag, "NOT_FOUND")
        const report = { id: sent.messageId, status: "failed" } as const
        assert.strictEqual((yield* Effect.flip(sms.report(stranger, report)))._tag, "NOT_FOUND")
        assert.strictEqual((yield* sms.list(stranger, page({}))).total, 0)
      }
      for (const id of ["", "nothing", "4f1b6f0e-8a39-4a4f-9a39-1f1f0f4f5b11", sent.messageId.replace(/.$/, "\0")]) {
        assert.strictEqual((yield* Effect.flip(sms.get(acme, id)))._tag, "NOT_FOUND")
      }
      assert.strictEqual((yield* sms.get(acme, sent.messageId.toUpperCase())).messageId, sent.messageId)
    }).pipe(Effect.provide(layer))
  )

  it.effect("keep the text only where the account asks for it", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const store = yield* Store
      const discreet = yield* payer()
      const archive = yield* payer({ storeText: true })
      const kept = yield* sms.send(archive, message(german, "code 918273"), noKeys)
      assert.strictEqual((yield* sms.get(archive, kept.messageId)).text, "code 918273")
      const sent = yield* sms.send(discreet, message(german, "code 918273"), noKeys)
      const record = yield* sms.get(discreet, sent.messageId)
      assert.notProperty(record, "text")
      const { account, mode } = { account: discreet.account.id, mode: discreet.mode }
      const stored = yield* store.find({ account, mode, channel: "sms", id: record.uuid })
      assert.isTrue(Option.isSome(stored))
      assert.notInclude(JSON.stringify(stored), "918273")
    }).pipe(Effect.provide(Layer.provide(layer, carrier())))
  )

  it.effect("of the sandbox show no more than live ones", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const { messageId } = yield* sms.send(acme, message(german, "code 918273"), noKeys)
      const shown = [yield* sms.get(acme, messageId), yield* sms.list(acme, page({}))]
      assert.notInclude(JSON.stringify(shown), "918273")
      const filter = { filter: { inbox_code: "918273" } }
      assert.strictEqual((yield* Effect.flip(sms.list(acme, page(filter))))._tag, "BAD_REQUEST")
    }).pipe(Effect.provide(layer))
  )

  it.effect("are listed newest first, filtered and sorted by any field", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const sent: Array<string> = []
      for (const digits of ["0001", "0002", "1111", "2222"]) {
        sent.push((yield* sms.send(acme, message(`+491512345${digits}`), noKeys)).messageId)
        yield* TestClock.adjust("10 seconds")
      }
      const ids = (list: ReadonlyArray<{ readonly messageId: string }>) =>
        list.map((record) => sent.indexOf(record.messageId))
      const listed = (given: unknown) =>
        Effect.map(sms.list(acme, page(given)), ({ list, total }) => [ids(list), total])
      assert.deepStrictEqual(yield* listed({}), [[3, 2, 1, 0], 4])
      assert.deepStrictEqual(yield* listed({ page: 2, rows_per_page: 3 }), [[0], 4])
      assert.deepStrictEqual(yield* listed({ filter: { status: "delivered" } }), [[3, 2], 2])
      assert.deepStrictEqual(yield* listed({ filter: { status: ["sent", "undelivered"] }, sort_direction: "ASC" }), [
        [0, 1],
        2
      ])
      assert.deepStrictEqual(yield* listed({ filter: { messageId: sent[2] } }), [[2], 1])
      assert.deepStrictEqual(yield* listed({ sort_by: "to", sort_direction: "ASC", rows_per_page: 2 }), [[0, 1], 4])
      assert.deepStrictEqual(
        yield* listed({ filter: { timestamp: { gte: "1970-01-01T00:00:11Z", lt: "1970-01-01T00:00:31Z" } } }),
        [[2, 1], 2]
      )
      const error = yield* Effect.flip(sms.list(acme, page({ sort_by: "password" })))
      assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, "sort_by")
    }).pipe(Effect.provide(layer))
  )
})

describe("reported outcomes", () => {
  it.effect("move a record once; repeats are fine and contradictions are conflicts", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const { messageId } = yield* sms.send(acme, message("+4915123450001"), noKeys)
      assert.strictEqual((yield* sms.report(acme, { id: messageId, status: "sent" })).status, "sent")
      const moved = yield* sms.report(acme, { id: messageId, status: "delivered" })
      assert.deepStrictEqual(moved, { message: "OK", id: messageId, status: "delivered" })
      assert.strictEqual((yield* sms.report(acme, { id: messageId, status: "delivered" })).status, "delivered")
      for (const status of ["sent", "failed", "undelivered"] as const) {
        assert.strictEqual((yield* Effect.flip(sms.report(acme, { id: messageId, status })))._tag, "CONFLICT")
      }
      assert.strictEqual((yield* sms.get(acme, messageId)).status, "delivered")
    }).pipe(Effect.provide(layer))
  )

  it.effect("are not undone by a late receipt", () =>
    Effect.gen(function* () {
      const sms = yield* Sms.Sms
      const acme = yield* principal("sandbox")
      const { messageId } = yield* sms.send(acme, message(german), noKeys)
      yield* sms.report(acme, { id: messageId, status: "failed" })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* sms.get(acme, messageId)).status, "failed")
    }).pipe(Effect.provide(layer))
  )
})

it.effect("an account without a sender has to name one", () =>
  Effect.gen(function* () {
    const sms = yield* Sms.Sms
    const acme = yield* principal("sandbox", { smsSender: null })
    const error = yield* Effect.flip(sms.send(acme, { to: E164.make(german), text: Text.make("hi") }, noKeys))
    assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, "from")
  }).pipe(Effect.provide(layer))
)
