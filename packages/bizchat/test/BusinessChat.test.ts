import { assert, describe, it } from "@effect/vitest"
import * as BusinessChat from "@watchword/bizchat/BusinessChat"
import * as BusinessChatStatus from "../src/internal/BusinessChatStatus.ts"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import { Prices } from "@watchword/ledger/Prices"
import * as PriceTable from "@watchword/ledger/PriceTable"
import { ListBody } from "@watchword/pagination/ListBody"
import * as Records from "@watchword/records/Records"
import { SendOtp } from "@watchword/schemas/BusinessChat"
import { RequestId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Principal } from "@watchword/schemas/Principal"
import * as Background from "@watchword/send/Background"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import * as Heartbeat from "@watchword/send/Heartbeat"
import * as Reconciler from "@watchword/send/Reconciler"
import * as Send from "@watchword/send/Send"
import * as MemoryStore from "@watchword/store/MemoryStore"
import { type Service as StoreService, Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makePlatform, noAnswer, notOnPlatform, refOf } from "./platform.ts"
import { watched } from "../../../test/watchedStore.ts"

const german = "+4915123456789"
const PRICE = 40_000
const prices = Result.getOrThrow(PriceTable.parse({ bizchat: { "*": "0.04" } }))

type Platform = ReturnType<typeof makePlatform>

/** The channel on a store in memory; without a platform there is no gateway for live keys. */
const layerOf = (
  platform: Platform | null,
  store: StoreService = MemoryStore.make(),
  reconcile: Omit<Reconciler.Options, "failed"> = {}
) =>
  (platform === null ? BusinessChat.layer : Layer.provide(BusinessChat.layer, platform.layer)).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Send.layer,
        Records.layer,
        Ledger.layer,
        Accounts.layer,
        Reconciler.layer({ ...reconcile, failed: { bizchat: BusinessChatStatus.statuses.failed } })
      )
    ),
    Layer.provide(Layer.succeed(Prices, prices)),
    Layer.provideMerge(Heartbeat.layer),
    Layer.provideMerge(Layer.succeed(Store, store))
  )

type Services = Layer.Success<ReturnType<typeof layerOf>>

/** Runs a test with a platform of its own. */
const withPlatform = <A, E>(test: (platform: Platform) => Effect.Effect<A, E, Services>) => {
  const platform = makePlatform()
  return Effect.provide(test(platform), layerOf(platform))
}

const sandboxed = <A, E>(test: Effect.Effect<A, E, Services>) => Effect.provide(test, layerOf(null))

const principal = Effect.fnUntraced(function* (mode: Principal["mode"], account: Accounts.NewAccount = {}) {
  const accounts = yield* Accounts.Accounts
  const made: Principal = { account: yield* accounts.create(account), mode, key: null, scopes: null }
  return made
})

/** A live principal with one euro. */
const acme = Effect.fnUntraced(function* (account: Accounts.NewAccount = {}) {
  const made = yield* principal("live", account)
  const ledger = yield* Ledger.Ledger
  yield* ledger.credit(made.account.id, MicroEuros.make(1_000_000))
  return made
})

const body = Schema.decodeUnknownSync(SendOtp)
const page = Schema.decodeUnknownSync(ListBody)
const message = (to = german, text = "Your code is 123456") => body({ to, text })

/** The kinds of an account's ledger entries after its credit. */
const entriesOf = Effect.fnUntraced(function* ({ account }: Principal) {
  const ledger = yield* Ledger.Ledger
  const { agrees } = yield* ledger.audit(account.id)
  assert.isTrue(agrees)
  const entries = yield* Stream.runCollect(ledger.entries(account.id))
  return entries.slice(1).map(({ kind }) => kind)
})

const balanceOf = ({ account }: Principal) => Ledger.Ledger.use((ledger) => ledger.balance(account.id))

/** Sends one text, and answers its id and what the platform calls it. */
const sendOne = Effect.fnUntraced(function* (platform: Platform, principal: Principal) {
  const chat = yield* BusinessChat.BusinessChat
  const { uuid } = yield* chat.send(principal, message(), noKeys)
  const last = platform.sent.at(-1)
  assert(last !== undefined)
  return { uuid, ref: refOf(last) }
})

describe("a send", () => {
  it.effect("is charged when the platform has taken it, and its record follows the platform's events", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const sent = yield* chat.send(live, body({ to: german, text: "Code 123456", code: "12-AB" }), noKeys)
        assert.deepStrictEqual(sent, { uuid: sent.uuid, to: german })
        const [given] = platform.sent
        assert(given !== undefined && given.code !== null)
        assert.deepStrictEqual([given.delivery, given.to], [sent.uuid, german])
        assert.deepStrictEqual([Redacted.value(given.text), Redacted.value(given.code)], ["Code 123456", "12-AB"])
        assert.deepStrictEqual(yield* chat.get(live, sent.uuid), {
          uuid: sent.uuid,
          to: german,
          status: "SENT",
          created_at: "1970-01-01T00:00:00.000Z",
          error_code: null,
          price: 0.04,
          is_refunded: false
        })
        for (const status of ["sent", "delivered", "read"] as const) {
          yield* platform.tell(refOf(given), status)
          assert.strictEqual((yield* chat.get(live, sent.uuid)).status, status.toUpperCase())
        }
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000 - PRICE)
      })
    )
  )

  it.effect("is answered 503 where there is no gateway, and nothing is recorded or charged", () =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const error = yield* Effect.flip(chat.send(live, message(), noKeys))
        assert.strictEqual(error._tag, "SERVICE_UNAVAILABLE")
        assert.strictEqual((yield* chat.list(live, page({}))).total, 0)
        assert.deepStrictEqual(yield* entriesOf(live), [])
        assert.deepStrictEqual([yield* chat.health, chat.webhook], [[], null])
      })
    )
  )

  it.effect("is answered 402 when the balance is too small, and nothing is sent or recorded", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* principal("live")
        const ledger = yield* Ledger.Ledger
        yield* ledger.credit(live.account.id, MicroEuros.make(PRICE * 2 + 1))
        yield* chat.send(live, message(), noKeys)
        yield* chat.send(live, message(), noKeys)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), noKeys)))._tag, "PAYMENT_REQUIRED")
        assert.lengthOf(platform.sent, 2)
        assert.strictEqual((yield* chat.list(live, page({}))).total, 2)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "hold", "settle"])
      })
    )
  )

  it.effect("that the gateway would refuse is 400 before 402, in the sandbox too, and not recorded", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        for (const poor of [yield* principal("live"), yield* principal("sandbox")]) {
          const error = yield* Effect.flip(chat.send(poor, message(german, "Hello"), noKeys))
          assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, "text")
          assert.strictEqual((yield* chat.list(poor, page({}))).total, 0)
        }
        assert.lengthOf(platform.sent, 0)
      })
    )
  )

  it.effect("to a number that is not on the platform is 404, released in full, and says why on the record", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        platform.answers(notOnPlatform)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), noKeys)))._tag, "NOT_FOUND")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "release"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
        const { list } = yield* chat.list(live, page({}))
        assert.deepInclude(list[0], { status: "FAILED", error_code: 131026 })
      })
    )
  )
})

describe("a send whose outcome is unknown", () => {
  it.effect("keeps its hold and is settled by an event that names the delivery", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        platform.answers(noAnswer)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), noKeys)))._tag, "TEMPORARY_UNAVAILABLE")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold"])
        const [given] = platform.sent
        assert(given !== undefined)
        assert.strictEqual((yield* chat.get(live, given.delivery)).status, "SENT")
        yield* platform.tell("wamid.late", "delivered", { of: given.delivery })
        assert.strictEqual((yield* chat.get(live, given.delivery)).status, "DELIVERED")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
        yield* TestClock.adjust("25 hours")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
        yield* platform.tell("wamid.late", "read")
        assert.strictEqual((yield* chat.get(live, given.delivery)).status, "READ")
      })
    )
  )

  it.effect("is given back once when the event says that the number is not on the platform", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const live = yield* acme()
        platform.answers(noAnswer)
        yield* Effect.flip(BusinessChat.BusinessChat.use((chat) => chat.send(live, message(), noKeys)))
        const of = platform.sent[0]?.delivery ?? null
        for (let times = 0; times < 3; times++) {
          yield* platform.tell("wamid.late", "failed", { of, errorCode: 131026 })
        }
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
      })
    )
  )

  it.effect("is released after a day without a word, and a later word costs nothing", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        platform.answers(noAnswer)
        yield* Effect.flip(chat.send(live, message(), noKeys))
        const of = platform.sent[0]?.delivery ?? null
        assert(of !== null)
        yield* TestClock.adjust("23 hours")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold"])
        yield* TestClock.adjust("62 minutes")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "release"])
        assert.strictEqual((yield* chat.get(live, of)).status, "FAILED")
        for (const status of ["delivered", "read", "failed"] as const) {
          yield* platform.tell("wamid.late", status, { of, errorCode: status === "failed" ? 131026 : null })
        }
        assert.strictEqual((yield* chat.get(live, of)).status, "FAILED")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "release"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
      })
    )
  )
})

describe("events", () => {
  it.effect.each([
    [["delivered", "sent"], "DELIVERED"],
    [["read"], "READ"],
    [["read", "delivered", "sent", "read"], "READ"],
    [["delivered", "read", "delivered"], "READ"],
    [["failed", "delivered"], "FAILED"],
    [["failed", "read", "failed"], "FAILED"],
    [["delivered", "failed"], "DELIVERED"],
    [["sent", "sent"], "SENT"]
  ] as const)("%j make a record %s", ([statuses, expected]) =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const { ref, uuid } = yield* sendOne(platform, live)
        for (const status of statuses) yield* platform.tell(ref, status)
        assert.strictEqual((yield* chat.get(live, uuid)).status, expected)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect.each([131047, 131049, 131000, null])("say why a text failed: %s, and cost what they cost", (errorCode) =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const { ref, uuid } = yield* sendOne(platform, live)
        yield* platform.tell(ref, "failed", { errorCode })
        const record = yield* chat.get(live, uuid)
        assert.deepInclude(record, { status: "FAILED", error_code: errorCode, is_refunded: false })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("that a number is not on the platform give the price back once", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const { ref, uuid } = yield* sendOne(platform, live)
        for (let times = 0; times < 3; times++) yield* platform.tell(ref, "failed", { errorCode: 131026 })
        assert.deepInclude(yield* chat.get(live, uuid), { status: "FAILED", error_code: 131026, is_refunded: true })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
        assert.strictEqual((yield* balanceOf(live)).available, 1_000_000)
      })
    )
  )

  it.effect("that come before the answer wait for it", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        platform.answers((sent) =>
          Effect.as(platform.tell(refOf(sent), "read"), { _tag: "Accepted", refs: [refOf(sent)], details: {} })
        )
        const { uuid } = yield* sendOne(platform, live)
        assert.strictEqual((yield* chat.get(live, uuid)).status, "READ")
        platform.answers((sent) =>
          Effect.as(platform.tell(refOf(sent), "failed", { of: sent.delivery, errorCode: 131026 }), {
            _tag: "Accepted",
            refs: [refOf(sent)],
            details: {}
          })
        )
        const failed = yield* sendOne(platform, live)
        assert.deepInclude(yield* chat.get(live, failed.uuid), { status: "FAILED", is_refunded: true })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "hold", "settle", "refund"])
      })
    )
  )

  it.effect("of nobody's messages change nothing", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const { uuid } = yield* sendOne(platform, live)
        yield* platform.tell("wamid.nobody", "failed", { errorCode: 131026 })
        assert.strictEqual((yield* chat.get(live, uuid)).status, "SENT")
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("that cannot be stored fail, so that they are told again", () => {
    const store = MemoryStore.make()
    let away = true
    const failing: StoreService = {
      ...store,
      report: (report) =>
        Effect.suspend(() =>
          away && report.refund
            ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" }))
            : store.report(report)
        )
    }
    const platform = makePlatform()
    return Effect.gen(function* () {
      const live = yield* acme()
      const { ref } = yield* sendOne(platform, live)
      const event = platform.tell(ref, "failed", { errorCode: 131026 })
      assert.strictEqual((yield* Effect.flip(event))._tag, "StoreError")
      away = false
      yield* event
      assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
    }).pipe(Effect.provide(layerOf(platform, failing)))
  })
})

describe("a repeated send", () => {
  const keys = (given: Partial<Record<keyof RequestKeys, string>>): RequestKeys => ({
    requestId: given.requestId === undefined ? null : RequestId.make(given.requestId),
    idempotencyKey: given.idempotencyKey ?? null
  })
  const correlated = keys({ requestId: "0c9d7e3a-1111-4222-8333-444455556666" })
  const idempotent = keys({ idempotencyKey: "signup-1" })

  it.effect("under one correlation id is a conflict, and another body is another send", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        yield* chat.send(live, message(), correlated)
        assert.strictEqual((yield* Effect.flip(chat.send(live, message(), correlated)))._tag, "CONFLICT")
        yield* chat.send(live, message(german, "Your code: 123456"), correlated)
        yield* chat.send(live, body({ ...message(), code: "123456" }), correlated)
        assert.lengthOf(platform.sent, 3)
        yield* TestClock.adjust("24 hours")
        yield* chat.send(live, message(), correlated)
        assert.lengthOf(platform.sent, 4)
      })
    )
  )

  it.effect("under one correlation id may be made again after a refusal, but not while it may have left", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const send = Effect.flip(chat.send(live, message(), correlated))
        platform.answers(notOnPlatform)
        assert.strictEqual((yield* send)._tag, "NOT_FOUND")
        platform.answers(noAnswer)
        assert.strictEqual((yield* send)._tag, "TEMPORARY_UNAVAILABLE")
        assert.strictEqual((yield* send)._tag, "CONFLICT")
        assert.lengthOf(platform.sent, 2)
      })
    )
  )

  it.effect("under one idempotency key is answered again, and another body is a conflict", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        const first = yield* chat.send(live, message(), idempotent)
        assert.deepStrictEqual(yield* chat.send(live, message(), idempotent), first)
        const other = chat.send(live, body({ ...message(), code: "123456" }), idempotent)
        assert.strictEqual((yield* Effect.flip(other))._tag, "CONFLICT")
        assert.lengthOf(platform.sent, 1)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("under one idempotency key is answered the failure again, until the message turns out to be sent", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const live = yield* acme()
        platform.answers(noAnswer)
        const send = chat.send(live, message(), idempotent)
        for (const _ of ["first", "again"]) {
          assert.strictEqual((yield* Effect.flip(send))._tag, "TEMPORARY_UNAVAILABLE")
        }
        const of = platform.sent[0]?.delivery ?? null
        yield* platform.tell("wamid.late", "sent", { of })
        assert.strictEqual((yield* send).uuid, of)
        assert.lengthOf(platform.sent, 1)
      })
    )
  )
})

describe("reported outcomes", () => {
  const reporting = Effect.fnUntraced(function* (platform: Platform) {
    const chat = yield* BusinessChat.BusinessChat
    const live = yield* acme()
    const { ref, uuid } = yield* sendOne(platform, live)
    return { chat, live, ref, uuid, report: (status: "Success" | "Failed") => chat.report(live, { uuid, status }) }
  })

  it.effect.each([
    ["Success", "DELIVERED", "Failed"],
    ["Failed", "FAILED", "Success"]
  ] as const)("%s makes a record %s; repeats are fine and %s is a conflict", ([outcome, status, opposite]) =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, report, uuid } = yield* reporting(platform)
        for (const _ of ["first", "again"]) {
          assert.deepStrictEqual(yield* report(outcome), { message: "OK", uuid, status })
        }
        assert.strictEqual((yield* Effect.flip(report(opposite)))._tag, "CONFLICT")
        assert.strictEqual((yield* chat.get(live, uuid)).status, status)
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle"])
      })
    )
  )

  it.effect("Success of a text that was read is fine, and Failed a conflict", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { ref, report } = yield* reporting(platform)
        yield* platform.tell(ref, "read")
        assert.strictEqual((yield* report("Success")).status, "READ")
        assert.strictEqual((yield* Effect.flip(report("Failed")))._tag, "CONFLICT")
      })
    )
  )

  it.effect("are not undone by late events", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, ref, report, uuid } = yield* reporting(platform)
        yield* report("Failed")
        for (const status of ["sent", "delivered", "read"] as const) yield* platform.tell(ref, status)
        assert.strictEqual((yield* chat.get(live, uuid)).status, "FAILED")
      })
    )
  )

  it.effect("do not keep the price from coming back", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, ref, report, uuid } = yield* reporting(platform)
        yield* report("Failed")
        yield* platform.tell(ref, "failed", { errorCode: 131026 })
        assert.deepInclude(yield* chat.get(live, uuid), { status: "FAILED", is_refunded: true })
        assert.deepStrictEqual(yield* entriesOf(live), ["hold", "settle", "refund"])
        assert.strictEqual((yield* report("Failed")).status, "FAILED")
      })
    )
  )

  it.effect("of an unknown text are 404", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, live, uuid } = yield* reporting(platform)
        for (const unknown of ["", "nothing", "01KAJ3T8ZZ0000000000000000", `${uuid}0`]) {
          const error = yield* Effect.flip(chat.report(live, { uuid: unknown, status: "Success" }))
          assert.strictEqual(error._tag, "NOT_FOUND")
        }
      })
    )
  )
})

describe("records", () => {
  it.effect("are of one account and one mode", () =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const mine = yield* principal("sandbox")
        const { uuid } = yield* chat.send(mine, message(), noKeys)
        const strangers = [yield* principal("sandbox"), { ...mine, mode: "live" } as const]
        for (const stranger of strangers) {
          assert.strictEqual((yield* Effect.flip(chat.get(stranger, uuid)))._tag, "NOT_FOUND")
          const report = { uuid, status: "Failed" } as const
          assert.strictEqual((yield* Effect.flip(chat.report(stranger, report)))._tag, "NOT_FOUND")
          assert.strictEqual((yield* chat.list(stranger, page({}))).total, 0)
        }
        for (const id of ["", "nothing", "01KAJ3T8ZZ0000000000000000", uuid.replace(/.$/, "\0")]) {
          assert.strictEqual((yield* Effect.flip(chat.get(mine, id)))._tag, "NOT_FOUND")
        }
      })
    )
  )

  it.effect("keep the text only where the account asks for it", () =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const store = yield* Store
        const archive = yield* principal("sandbox", { storeText: true })
        const kept = yield* chat.send(archive, body({ to: german, text: "code 918273", code: "918273" }), noKeys)
        assert.strictEqual((yield* chat.get(archive, kept.uuid)).text, "code 918273")
        const discreet = yield* principal("sandbox")
        const sent = yield* chat.send(discreet, body({ to: german, text: "code 918273", code: "918273" }), noKeys)
        assert.notProperty(yield* chat.get(discreet, sent.uuid), "text")
        const drawer = { account: discreet.account.id, mode: discreet.mode, channel: "bizchat", id: sent.uuid } as const
        const stored = yield* store.find(drawer)
        assert.isTrue(Option.isSome(stored))
        assert.notInclude(JSON.stringify(stored), "918273")
      })
    )
  )

  /** Five records, ten seconds apart, each with another fate. */
  const five = Effect.fnUntraced(function* (platform: Platform) {
    const chat = yield* BusinessChat.BusinessChat
    const live = yield* acme({ storeText: true })
    const sent: Array<string> = []
    const fates = ["sent", "delivered", "read", "failed"] as const
    for (const [index, fate] of fates.entries()) {
      const { uuid } = yield* chat.send(live, message(`+491512345000${9 - index}`, `123456 for ${index}`), noKeys)
      sent.push(uuid)
      yield* platform.tell(`wamid.${uuid}`, fate, { errorCode: fate === "failed" ? 131026 : null })
      yield* TestClock.adjust("10 seconds")
    }
    platform.answers(() => ({ ...notOnPlatform(), details: { error_code: 7 } }))
    yield* Effect.flip(chat.send(live, message("+4915123450001", "123456 for 4"), noKeys))
    sent.push(platform.sent.at(-1)?.delivery ?? "")
    const listed = (given: unknown) =>
      Effect.map(chat.list(live, page(given)), ({ list }) => list.map(({ uuid }) => sent.indexOf(uuid)))
    return { chat, live, sent, listed }
  })

  it.effect("are listed newest first, in pages", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { chat, listed, live } = yield* five(platform)
        assert.deepStrictEqual(yield* listed({}), [4, 3, 2, 1, 0])
        assert.deepStrictEqual(yield* listed({ page: 2, rows_per_page: 3 }), [1, 0])
        const { list, ...envelope } = yield* chat.list(live, page({ page: 9, rows_per_page: 2 }))
        assert.deepStrictEqual(
          [list, envelope],
          [[], { total: 5, total_pages: 3, has_next_page: false, has_previous_page: true }]
        )
      })
    )
  )

  it.effect("are filtered by any field", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { listed, sent } = yield* five(platform)
        const filters: ReadonlyArray<readonly [filter: unknown, found: ReadonlyArray<number>]> = [
          [{ uuid: sent[2] }, [2]],
          [{ uuid: [sent[0], sent[4], "nothing"] }, [4, 0]],
          [{ to: "+4915123450008" }, [1]],
          [{ status: "FAILED" }, [4, 3]],
          [{ status: ["READ", "SENT"] }, [2, 0]],
          [{ created_at: { gte: "1970-01-01T00:00:10Z", lt: "1970-01-01T00:00:30Z" } }, [2, 1]],
          [{ error_code: 131026 }, [3]],
          [{ error_code: null }, [2, 1, 0]],
          [{ error_code: { gt: 7 } }, [3]],
          [{ price: 0.04 }, [4, 3, 2, 1, 0]],
          [{ price: { gt: 0.04 } }, []],
          [{ is_refunded: true }, [3]],
          [{ is_refunded: false, status: "FAILED" }, [4]],
          [{ text: "123456 for 1" }, [1]]
        ]
        for (const [filter, found] of filters)
          assert.deepStrictEqual([filter, yield* listed({ filter })], [filter, found])
      })
    )
  )

  it.effect("are sorted by any field", () =>
    withPlatform((platform) =>
      Effect.gen(function* () {
        const { listed } = yield* five(platform)
        const orders: ReadonlyArray<readonly [field: string, ascending: ReadonlyArray<number>]> = [
          ["uuid", [0, 1, 2, 3, 4]],
          ["to", [4, 3, 2, 1, 0]],
          ["status", [1, 3, 4, 2, 0]],
          ["created_at", [0, 1, 2, 3, 4]],
          ["error_code", [0, 1, 2, 4, 3]],
          ["price", [0, 1, 2, 3, 4]],
          ["is_refunded", [0, 1, 2, 4, 3]],
          ["text", [0, 1, 2, 3, 4]]
        ]
        for (const [sort_by, ascending] of orders) {
          assert.deepStrictEqual([sort_by, yield* listed({ sort_by, sort_direction: "ASC" })], [sort_by, ascending])
          assert.deepStrictEqual([sort_by, yield* listed({ sort_by })], [sort_by, ascending.toReversed()])
        }
      })
    )
  )

  it.effect.each([
    [{ sort_by: "password" }, "sort_by"],
    [{ sort_by: "details.failure" }, "sort_by"],
    [{ filter: { password: 1 } }, "filter.password"],
    [{ filter: { status: "delivered" } }, "filter.status"],
    [{ filter: { error_code: "131026" } }, "filter.error_code"],
    [{ filter: { is_refunded: 1 } }, "filter.is_refunded"],
    [{ filter: { created_at: "yesterday" } }, "filter.created_at"],
    [{ filter: { price: 0.0000001 } }, "filter.price"]
  ] as const)("cannot be listed by %j", ([given, path]) =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const error = yield* Effect.flip(chat.list(yield* principal("sandbox"), page(given)))
        assert.strictEqual(error._tag === "BAD_REQUEST" && error.issues?.[0]?.path, path)
      })
    )
  )
})

describe("the sandbox", () => {
  it.effect.each([
    ["0001", "SENT"],
    ["0002", "FAILED"],
    ["0004", "FAILED"],
    ["0486", "DELIVERED"],
    ["0603", "DELIVERED"],
    ["6789", "DELIVERED"]
  ] as const)("ends a text to a number that ends in %s as %s, for nothing", ([digits, status]) =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const mine = yield* principal("sandbox")
        const { uuid } = yield* chat.send(mine, message(`+491512345${digits}`), noKeys)
        yield* TestClock.adjust("999 millis")
        assert.strictEqual((yield* chat.get(mine, uuid)).status, "SENT")
        yield* TestClock.adjust("1 millis")
        assert.deepInclude(yield* chat.get(mine, uuid), { status, price: 0, is_refunded: false })
      })
    )
  )

  it.effect.each([
    ["0003", "NOT_FOUND", 1],
    ["0402", "PAYMENT_REQUIRED", 0],
    ["0480", "TEMPORARY_UNAVAILABLE", 1],
    ["0503", "SERVICE_UNAVAILABLE", 1]
  ] as const)("answers a number that ends in %s with %s", ([digits, code, recorded]) =>
    sandboxed(
      Effect.gen(function* () {
        const chat = yield* BusinessChat.BusinessChat
        const mine = yield* principal("sandbox")
        const error = yield* Effect.flip(chat.send(mine, message(`+491512345${digits}`), noKeys))
        assert.strictEqual(error._tag, code)
        const { list, total } = yield* chat.list(mine, page({}))
        assert.strictEqual(total, recorded)
        for (const record of list) assert.strictEqual(record.status, "FAILED")
      })
    )
  )
})

describe("the steps of a send in the sandbox", () => {
  const keys = { requestId: RequestId.make("0c9d7e3a-1111-4222-8333-444455556666"), idempotencyKey: null }

  it.effect("are one before the answer, and one for what follows", () => {
    const { service, steps } = watched()
    return Effect.gen(function* () {
      const chat = yield* BusinessChat.BusinessChat
      const mine = yield* principal("sandbox")
      yield* chat.send(mine, message(), noKeys)
      yield* Effect.flip(chat.send(mine, message("+4915123450480"), noKeys))
      assert.deepStrictEqual(steps, ["open", "open"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "report"])
    }).pipe(Effect.provide(layerOf(null, service)))
  })

  it.effect("have nothing that follows when the send was not let through, and leave nothing running", () => {
    const { away, service, steps } = watched()
    const left: Array<unknown> = []
    return Effect.gen(function* () {
      const chat = yield* BusinessChat.BusinessChat
      const mine = yield* principal("sandbox")
      yield* chat.send(mine, message(), keys)
      assert.strictEqual((yield* Effect.flip(chat.send(mine, message(), keys)))._tag, "CONFLICT")
      away.open = true
      assert.strictEqual((yield* Effect.flip(chat.send(mine, message(), noKeys)))._tag, "StoreError")
      assert.strictEqual(left.length, 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(steps, ["open", "open", "open", "report"])
    }).pipe(
      Effect.provideService(Background.WaitUntil, (fiber) => void left.push(fiber)),
      Effect.provide(layerOf(null, service))
    )
  })
})

describe("whatever happens to many texts", () => {
  type Step =
    | { readonly do: "send"; readonly answer: "accepted" | "not on the platform" | "unknown" | "accepted late" }
    | { readonly do: "tell"; readonly which: number; readonly status: "sent" | "delivered" | "read" | "failed" }
    | { readonly do: "refuse"; readonly which: number }
    | { readonly do: "report"; readonly which: number; readonly outcome: "Success" | "Failed" }
    | { readonly do: "wait"; readonly minutes: number }

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      do: fc.constant("send" as const),
      answer: fc.constantFrom("accepted", "not on the platform", "unknown", "accepted late")
    }),
    fc.record({
      do: fc.constant("tell" as const),
      which: fc.nat(9),
      status: fc.constantFrom("sent", "delivered", "read", "failed")
    }),
    fc.record({ do: fc.constant("refuse" as const), which: fc.nat(9) }),
    fc.record({ do: fc.constant("report" as const), which: fc.nat(9), outcome: fc.constantFrom("Success", "Failed") }),
    fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 5, 12) })
  )

  const run = (platform: Platform, steps: ReadonlyArray<Step>) =>
    Effect.gen(function* () {
      const chat = yield* BusinessChat.BusinessChat
      const live = yield* acme()
      const eventOf = (which: number) => {
        const sent = platform.sent[which % Math.max(1, platform.sent.length)]
        return sent === undefined ? null : { ref: refOf(sent), of: sent.delivery }
      }
      const last = new Map<string, string>()

      for (const one of steps) {
        switch (one.do) {
          case "send":
            platform.answers((sent) => {
              switch (one.answer) {
                case "accepted":
                  return { _tag: "Accepted", refs: [refOf(sent)], details: {} }
                case "not on the platform":
                  return notOnPlatform()
                case "unknown":
                  return noAnswer()
                case "accepted late":
                  return Effect.as(platform.tell(refOf(sent), "delivered", { of: sent.delivery }), noAnswer())
              }
            })
            yield* Effect.exit(chat.send(live, message(), noKeys))
            break
          case "tell":
          case "refuse": {
            const event = eventOf(one.which)
            if (event === null) break
            const errorCode = one.do === "refuse" ? 131026 : null
            yield* platform.tell(event.ref, one.do === "refuse" ? "failed" : one.status, { of: event.of, errorCode })
            break
          }
          case "report": {
            const uuid = eventOf(one.which)?.of
            if (uuid !== undefined) yield* Effect.exit(chat.report(live, { uuid, status: one.outcome }))
            break
          }
          case "wait":
            yield* TestClock.adjust(`${one.minutes} minutes`)
        }

        const ledger = yield* Ledger.Ledger
        assert.isTrue((yield* ledger.audit(live.account.id)).agrees)
        const entries = yield* Stream.runCollect(ledger.entries(live.account.id))
        const { list } = yield* chat.list(live, page({ rows_per_page: 100 }))
        for (const { status, uuid, ...record } of list) {
          const money = entries.filter(({ delivery }) => delivery === uuid).map(({ kind }) => kind)
          assert.include(["hold", "hold,settle", "hold,release", "hold,settle,refund"], money.join())
          if (money.includes("refund")) assert.isTrue(record.is_refunded)
          const before = last.get(uuid) ?? "SENT"
          assert.include(followers[before] ?? [], status)
          last.set(uuid, status)
        }
      }
      yield* TestClock.adjust("12 minutes")
      assert.strictEqual((yield* balanceOf(live)).held, 0)
    }).pipe(Effect.provide(layerOf(platform, MemoryStore.make(), { releaseAfter: "10 minutes" })))

  const followers: Readonly<Record<string, ReadonlyArray<string>>> = {
    SENT: ["SENT", "DELIVERED", "READ", "FAILED"],
    DELIVERED: ["DELIVERED", "READ"],
    READ: ["READ"],
    FAILED: ["FAILED"]
  }

  it("no price is charged or given back twice, and no status goes back", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
        Effect.runPromise(Effect.scoped(Effect.provide(run(makePlatform(), steps), TestClock.layer())))
      ),
      { numRuns: 100 }
    ))
})
