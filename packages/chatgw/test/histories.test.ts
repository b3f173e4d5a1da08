/**
 * Whatever customers do and gateways say, in any order and at the same time: the money is right.
 */
import { assert, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import type { DeliveryState } from "@watchword/chatgw/ChatgwGateway"
import { probeStatuses, statuses } from "../src/internal/ChatgwStatus.ts"
import * as Ledger from "@watchword/ledger/Ledger"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Account"
import { noKeys } from "@watchword/send/Claims"
import { rejected, unknown } from "@watchword/send/Outcome"
import { Reconciler, reconcilerLayer } from "@watchword/send/pipeline"
import type { Entry } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { CENT, EURO, type World, codeTo, inWorld, principal, refusal } from "./fixture.ts"

const numbers = ["+4915123456789", "+436641234567"] as const

type Fate = "answered" | "refused" | "question lost" | "answer lost"

type Step =
  | { readonly _tag: "send" | "probe"; readonly to: 0 | 1; readonly fate: Fate }
  | { readonly _tag: "revoke" | "refund" | "forget" | "tell"; readonly request: number }
  | { readonly _tag: "event"; readonly request: number; readonly delivery: DeliveryState }
  | { readonly _tag: "check"; readonly request: number; readonly code: string | undefined }
  | { readonly _tag: "report"; readonly record: number; readonly status: "Success" | "Failed" }
  | { readonly _tag: "wait"; readonly minutes: number }

const to = fc.constantFrom<0 | 1>(0, 1)
const request = fc.nat({ max: 5 })
const fate = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fate>("answered") },
  fc.constantFrom<Fate>("refused", "question lost", "answer lost")
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constantFrom("send", "probe"), to, fate }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constantFrom("revoke", "refund", "forget", "tell"), request }) },
  fc.record({
    _tag: fc.constant("event"),
    request,
    delivery: fc.constantFrom<DeliveryState>("sent", "delivered", "read", "expired", "failed")
  }),
  fc.record({
    _tag: fc.constant("check"),
    request,
    code: fc.constantFrom(undefined, "123456", "000000")
  }),
  fc.record({ _tag: fc.constant("report"), record: request, status: fc.constantFrom("Success", "Failed") }),
  fc.record({ _tag: fc.constant("wait"), minutes: fc.constantFrom(1, 11, 61) })
)

/** Some steps happen at once. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })

const deliveriesOf = ({ store }: World, { account, mode }: Principal) =>
  Effect.map(
    Effect.forEach(["chatgw", "chatgw_probe"] as const, (channel) =>
      store.list({
        account: account.id,
        mode,
        channel,
        where: [],
        sort: { field: "id", direction: "ASC" },
        offset: 0,
        limit: 100
      })
    ),
    (pages) => pages.flatMap(({ rows }) => rows)
  )

const take = Effect.fnUntraced(function* (world: World, acme: Principal, step: Step) {
  const { gateway } = world
  const chat = yield* Chatgw
  const reconciler = yield* Reconciler
  switch (step._tag) {
    case "send": {
      const code = codeTo(numbers[step.to], { callback_url: `https://example.com/${step.fate.replace(" ", "-")}` })
      return yield* chat.send(acme, code, noKeys)
    }
    case "probe": {
      gateway.onProbe = (_, act) => {
        const probe = Effect.andThen(Effect.yieldNow, act)
        switch (step.fate) {
          case "answered":
            return probe
          case "refused":
            return Effect.succeed({ _tag: "Unreachable" })
          case "question lost":
            return Effect.succeed({ _tag: "Unknown", failure: refusal() })
          case "answer lost":
            return Effect.as(probe, { _tag: "Unknown", failure: refusal() })
        }
      }
      return yield* chat.checkSendAbility(acme, { to: codeTo(numbers[step.to]).to }, noKeys)
    }
    case "report": {
      const record = (yield* deliveriesOf(world, acme))[step.record]
      return record && (yield* chat.report(acme, { id: record.id, status: step.status }))
    }
    case "wait":
      yield* TestClock.adjust(`${step.minutes} minutes`)
      return yield* reconciler.run
    default: {
      const request_id = `request-${step.request}`
      const isKnown = gateway.requests.has(request_id)
      switch (step._tag) {
        case "revoke":
          return yield* chat.revoke(acme, { request_id })
        case "check":
          return yield* chat.checkVerificationStatus(acme, {
            request_id,
            ...(step.code === undefined ? {} : { code: codeTo(numbers[0], { code: step.code }).code })
          })
        case "refund":
          return isKnown ? yield* gateway.tell(request_id, { delivery: "expired", isRefunded: true }) : undefined
        case "event":
          return isKnown ? yield* gateway.tell(request_id, { delivery: step.delivery }) : undefined
        case "tell":
          return isKnown ? yield* gateway.tell(request_id, {}, { of: null }) : undefined
        case "forget":
          return gateway.requests.delete(request_id)
      }
    }
  }
})

/** The amount paid for a delivery so far, by its entries; throws if they make no sense. */
const paidFor = (delivery: Delivery, entries: ReadonlyArray<Entry>): number => {
  const kinds = entries.map(({ kind }) => kind)
  for (const { amount } of entries) assert.strictEqual(amount, delivery.price)
  const histories: Readonly<Record<Delivery["phase"], ReadonlyArray<string>>> = {
    pending: ["hold"],
    unknown: ["hold"],
    accepted: ["hold settle"],
    rejected: ["hold release"],
    refunded: ["hold release", "hold settle refund"]
  }
  assert.include([...histories[delivery.phase], ...(delivery.price === 0 ? [""] : [])], kinds.join(" "))
  return kinds.includes("refund") || kinds.includes("release") ? 0 : kinds.length === 0 ? 0 : delivery.price
}

/** Runs an effect, and lets time pass while it waits. */
const inTime = Effect.fnUntraced(function* <A>(effect: Effect.Effect<A, never, Chatgw | Reconciler>) {
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("50 millis")
  return yield* Fiber.join(fiber)
})

const audit = Effect.fnUntraced(function* (world: World, acme: Principal) {
  const ledger = yield* Ledger.Ledger
  const deliveries = yield* deliveriesOf(world, acme)
  const entries = new Map<DeliveryId | null, Array<Entry>>()
  for (const entry of yield* Stream.runCollect(ledger.entries(acme.account.id))) {
    entries.set(entry.delivery, [...(entries.get(entry.delivery) ?? []), entry])
  }
  let paid = 0
  for (const delivery of deliveries) {
    const price = paidFor(delivery, entries.get(delivery.id) ?? [])
    paid += price
    const request = world.gateway.requests.get(String(delivery.details["request_id"]))
    // Whatever the gateway took nothing for, and has said so, the account pays nothing for.
    if (request?.isRefunded) assert.strictEqual(price, 0)
  }
  // No probe pays towards two sends.
  for (const to of numbers) {
    const cheaper = deliveries.filter(
      (delivery) =>
        delivery.to === to &&
        delivery.channel === "chatgw" &&
        delivery.phase !== "rejected" &&
        delivery.price < 5 * CENT
    )
    const probes = deliveries.filter(
      (delivery) => delivery.to === to && delivery.channel === "chatgw_probe" && delivery.status.rank > 0
    )
    assert.isAtMost(cheaper.length, probes.length)
  }
  const { available } = yield* ledger.balance(acme.account.id)
  assert.isAtLeast(available, 0)
  assert.strictEqual(available, EURO / 4 - paid)
  assert.isTrue((yield* ledger.audit(acme.account.id)).agrees)
})

it.effect.each([
  { chatgw: "0.05", chatgw_probe: "0.01" },
  { chatgw: "0.05", chatgw_probe: "0.05" }
])("the ledger agrees with what happened, at %j", (prices) =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(history, (steps) =>
        inWorld(
          (world) =>
            Effect.gen(function* () {
              const { gateway } = world
              const acme = yield* principal("live", 0.25)
              // Which fate a message has is in its callback address, because several are sent at once.
              gateway.onSend = ({ callbackUrl }, act) => {
                const slow = Effect.andThen(Effect.yieldNow, act)
                switch (callbackUrl?.split("/").at(-1)) {
                  case "refused":
                    return Effect.as(Effect.yieldNow, rejected(refusal()))
                  case "question-lost":
                    return Effect.as(Effect.yieldNow, unknown(refusal()))
                  case "answer-lost":
                    return Effect.as(slow, unknown(refusal()))
                  default:
                    return slow
                }
              }
              const reconciler = reconcilerLayer({
                failed: { chatgw: statuses.failed, chatgw_probe: probeStatuses.failed },
                releaseAfter: "10 minutes"
              })
              yield* Effect.gen(function* () {
                for (const together of steps) {
                  yield* inTime(
                    Effect.forEach(together, (step) => Effect.ignore(take(world, acme, step)), {
                      concurrency: "unbounded"
                    })
                  )
                  yield* audit(world, acme)
                }
              }).pipe(Effect.provide(reconciler))
            }),
          { prices }
        ).pipe(
          Effect.provide(TestClock.layer()),
          Effect.provideService(References.MinimumLogLevel, "Warn"),
          Effect.runPromise
        )
      ),
      { numRuns: 100 }
    )
  )
)
