import { describe, expect } from "@effect/vitest"
import * as Ledger from "@watchword/ledger/Ledger"
import type { Principal } from "@watchword/schemas/Account"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import { drainSettings, routeSettings } from "@watchword/send/routes"
import type { CarriersOptions } from "@watchword/sms/carriers"
import * as Sms from "@watchword/sms/Sms"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { eventually, test } from "../../../../test/live.ts"
import { startCarrier } from "../smpp/fixture.ts"
import { FUNDS, PRICE, body, funded, layer } from "../smpp/service.ts"
import { type Answer, receipt } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { link, startCarriers } from "./fixture.ts"

const GERMAN = "+4915123456789"
const TEXT = "Your code is 123456"

/** The channel with two carriers, and an account with money and a sender. */
const withTwo = Effect.fnUntraced(function* <A, E>(
  options: CarriersOptions,
  program: (
    carriers: { readonly acme: Carrier; readonly bell: Carrier },
    principal: Principal
  ) => Effect.Effect<A, E, Sms.Sms | Ledger.Ledger | Settings | Store>,
  first: () => Answer = () => ({})
) {
  const acme = yield* startCarrier({ submit: () => first(), receipt: (submit) => receipt(submit) })
  const bell = yield* startCarrier()
  const cost = { "*": 0.07 }
  const gateway = yield* startCarriers(
    { acme: { gateway: link(acme), cost }, bell: { gateway: link(bell), cost } },
    options
  )
  return yield* Effect.flatMap(funded, (principal) => program({ acme, bell }, principal)).pipe(
    Effect.provide(layer(gateway))
  )
})

type Carrier = Effect.Success<ReturnType<typeof startCarrier>>

const send = (principal: Principal, fields: object = { from: "Acme" }, keys: RequestKeys = noKeys) =>
  Effect.flatMap(Sms.Sms, (sms) => sms.send(principal, body({ to: GERMAN, text: TEXT, ...fields }), keys))

const last = Effect.fnUntraced(function* ({ account }: Principal) {
  const store = yield* Store
  const found = yield* store.deliveriesTo({ to: GERMAN, since: 0, until: Number.MAX_SAFE_INTEGER, limit: 10 })
  return found.find((delivery) => delivery.account === account.id)
})

describe("the record of a text", () => {
  test(
    "names its route, the choice, the carrier and the cost, and those that refused it before",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        {},
        Effect.fnUntraced(function* (_, principal) {
          yield* send(principal)
          expect((yield* last(principal))?.details).toEqual({
            encoding: "gsm7",
            route: "*",
            choice: "order",
            carriers: "bell",
            carrier: "bell",
            refused_by: "acme",
            cost: 70_000
          })
        }),
        () => ({ status: STATUS.RSYSERR })
      )
    })
  )

  test(
    "counts in a metric by carrier and country, and so does the code that was entered",
    Effect.fnUntraced(function* () {
      const registry: Metric.MetricRegistry = new Map()
      const text = yield* withTwo(
        {},
        Effect.fnUntraced(function* (_, principal) {
          const { messageId } = yield* send(principal)
          yield* Sms.Sms.use((sms) => sms.report(principal, { id: messageId, status: "delivered" }))
          return yield* PrometheusMetrics.format()
        })
      ).pipe(Effect.provideService(Metric.MetricRegistry, registry))
      const lines = text.split("\n").filter((line) => line.startsWith("watchword_carrier_messages_total"))
      expect(lines.toSorted()).toEqual([
        'watchword_carrier_messages_total{channel="sms",carrier="acme",country="DE",fate="approved"} 1',
        'watchword_carrier_messages_total{channel="sms",carrier="acme",country="DE",fate="delivered"} 1',
        'watchword_carrier_messages_total{channel="sms",carrier="acme",country="DE",fate="sent"} 1'
      ])
    })
  )

  test(
    "says by which figures the best carrier was chosen, and leaves by none that is too dear",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        { routes: [{ to: "*", via: ["acme", "bell"], choose: "best" }] },
        Effect.fnUntraced(function* (_, principal) {
          yield* send(principal)
          expect((yield* last(principal))?.details["choice"]).toMatch(
            /^best; in DE: acme too few \(0\), bell too few \(0\)(; bell is tried)?$/
          )
        })
      )
      yield* withTwo(
        { routes: [{ to: "*", via: ["acme", "bell"], choose: "best", max_cost: 0.06 }] },
        Effect.fnUntraced(function* ({ acme, bell }, principal) {
          expect(yield* Effect.flip(send(principal))).toMatchObject({ reason: "no_route" })
          expect([acme.submits.length, bell.submits.length]).toEqual([0, 0])
        })
      )
    })
  )

  test(
    "is delivered by a receipt of its carrier, and what its account sees has neither carrier nor cost",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        {},
        Effect.fnUntraced(function* (_, principal) {
          const sent = yield* send(principal)
          const services = yield* Effect.context<Store>()
          const record = Effect.provideContext(Effect.orDie(last(principal)), services)
          yield* eventually(Effect.map(record, (found) => found?.status.name === "delivered"))
          const sms = yield* Sms.Sms
          const sdr = yield* sms.get(principal, sent.messageId)
          expect(sdr.status).toBe("delivered")
          expect(JSON.stringify(sdr)).not.toMatch(/acme|bell|cost|route|choice/)
        })
      )
    })
  )
})

describe("a route", () => {
  test(
    "gives a text the sender, the ttl and the parameters that its request does not name",
    Effect.fnUntraced(function* () {
      const route = { to: "49", via: ["acme"], sender: "VERIFY", ttl: 60, tlvs: { "1400": "110" } }
      yield* withTwo(
        { routes: [route] },
        Effect.fnUntraced(function* ({ acme }, principal) {
          yield* send(principal, {})
          yield* send(principal, { from: "Acme", ttl: 120, tlvs: { "1401": "7" } })
          const [one, two] = acme.submits
          expect([one?.from, two?.from]).toEqual(["VERIFY", "Acme"])
          expect([one, two].map((submit) => submit?.frame.includes(Buffer.from("110")))).toEqual([true, false])
        })
      )
    })
  )

  test(
    "does not give an account a sender that it may not use",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        { routes: [{ to: "*", via: ["acme"], sender: "VERIFY" }] },
        Effect.fnUntraced(function* ({ acme }, principal) {
          const { account } = principal
          const bound = {
            ...principal,
            account: { ...account, originators: { ...account.originators, senders: ["Acme"] } }
          }
          const refused = yield* Effect.flip(send(bound, {}))
          expect(refused).toMatchObject({ _tag: "FORBIDDEN", reason: "sender_not_allowed" })
          expect(acme.submits).toHaveLength(0)
        })
      )
    })
  )

  test(
    "of the account precedes those of the installation",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        { routes: [{ to: "4915", via: ["acme"] }] },
        Effect.fnUntraced(function* ({ acme, bell }, principal) {
          const settings = yield* Settings
          const routes = [{ channel: "sms", to: "49", via: ["bell"] }]
          yield* settings.set(principal.account.id, routeSettings, routes)
          yield* send(principal)
          expect([acme.submits.length, bell.submits.length]).toEqual([0, 1])
          const wrong = settings.set(principal.account.id, routeSettings, [{ to: "49", via: ["bell"] }])
          expect((yield* Effect.flip(wrong)).message).toContain("list of routes")
        })
      )
    })
  )
})

describe("a number that no carrier takes", () => {
  test(
    "is answered 503 with its reason, and costs nothing; so is a repeat",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        { routes: [{ to: "44", via: ["acme"] }] },
        Effect.fnUntraced(function* (_, principal) {
          const keys: RequestKeys = { ...noKeys, idempotencyKey: "one" }
          const ledger = yield* Ledger.Ledger
          for (const failure of [
            yield* Effect.flip(send(principal, undefined, keys)),
            yield* Effect.flip(send(principal, undefined, keys))
          ]) {
            expect(failure).toMatchObject({ _tag: "SERVICE_UNAVAILABLE", reason: "no_route" })
          }
          const { held, posted } = yield* ledger.balance(principal.account.id)
          expect([held, posted]).toEqual([0, FUNDS])
          expect((yield* last(principal))?.details["choice"]).toBe("no route")
        })
      )
    })
  )
})

describe("a drained carrier", () => {
  test(
    "gets no texts until it is resumed, or its time is over",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        {},
        Effect.fnUntraced(function* ({ acme, bell }, principal) {
          const settings = yield* Settings
          const drain = drainSettings.of("acme")
          yield* settings.set(null, drain, null)
          yield* send(principal)
          yield* settings.set(null, drain, 1)
          yield* send(principal)
          yield* settings.set(null, drain, Date.now() + 60_000)
          yield* send(principal)
          yield* settings.remove(null, drain)
          yield* send(principal)
          expect([acme.submits.length, bell.submits.length]).toEqual([2, 2])
        })
      )
    })
  )
})

describe("the next send of a code", () => {
  test(
    "leaves by a carrier that was not used for it",
    Effect.fnUntraced(function* () {
      yield* withTwo(
        {},
        Effect.fnUntraced(function* ({ acme, bell }, principal) {
          const [one, two, three] = [1, 2, 3].map(() => nextDeliveryId(Date.now()))
          if (one === undefined || two === undefined || three === undefined) throw new Error("no ids")
          const step = (id: typeof one, earlier: ReadonlyArray<typeof one>): RequestKeys => ({
            ...noKeys,
            origin: { id, details: {}, earlier }
          })
          yield* send(principal, undefined, step(one, []))
          yield* send(principal, undefined, step(two, [one]))
          yield* send(principal, undefined, step(three, [one, two]))
          expect([acme.submits.length, bell.submits.length]).toEqual([2, 1])
          const { posted } = yield* (yield* Ledger.Ledger).balance(principal.account.id)
          expect(posted).toBe(FUNDS - 3 * PRICE)
        })
      )
    })
  )
})
