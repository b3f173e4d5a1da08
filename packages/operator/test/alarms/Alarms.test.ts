import { it } from "@effect/vitest"
import { verifyWebhook } from "@watchword/callback-signature/webhook"
import { layerUnsealed, setLowBalance } from "@watchword/events/EndpointAdmin"
import { WebhookSender, makeWebhookSender } from "@watchword/events/Events"
import { GuardAdmin } from "@watchword/guards/operator"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, describe, expect } from "vitest"
import { builtInChannels } from "watchword/Hosting"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { type Got, type Receiver, closeReceivers, receive, status } from "../../../events/test/receiver.ts"
import { type AlarmSettings, make } from "../../src/alarms/Alarms.ts"
import { type Mail, email, slack, webhook } from "../../src/alarms/Destinations.ts"
import { parse } from "../../src/alarms/QuietHours.ts"

afterEach(closeReceivers)

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAAAAAAAA"
const NOON = Date.parse("2027-01-31T12:00:00.000Z")

const services = (allowPrivate = true) =>
  Layer.mergeAll(Settings.layer, layerUnsealed).pipe(
    Layer.provideMerge(memory()),
    Layer.provideMerge(builtInChannels),
    Layer.provideMerge(Layer.succeed(BackgroundAllowed, false)),
    Layer.provideMerge(Layer.succeed(WebhookSender, makeWebhookSender({ allowPrivate })))
  )

const open = (given: Partial<AlarmSettings>) => make({ destinations: [], again: 4 * 3_600_000, quiet: null, ...given })

const to = ({ url }: Receiver) => webhook(url, Redacted.make(SECRET))

const bodies = ({
  got
}: Receiver): ReadonlyArray<{ readonly type: string; readonly data: { readonly [name: string]: unknown } }> =>
  got.map(({ body }) => JSON.parse(body))

const [HOUR, MINUTE] = ["1 hour", "1 minute"] as const

/** A problem of the severity `warn`. */
const pumped = GuardAdmin.block(null, "+2348", 20 * 3_600_000, "pumping")
const calmed = GuardAdmin.remove(null, "+2348")

/** A problem of the severity `bad`. */
const emptied = Effect.flatMap(accountFor(0), (account) => setLowBalance(account, 10))

const atNoon = TestClock.setTime(NOON)

describe("alarms", () => {
  it.effect("post a problem once, signed as webhooks are, and again after the time set", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const { run } = yield* open({ destinations: [to(receiver)] })
      yield* run
      expect(receiver.got).toEqual([])
      yield* TestClock.adjust(MINUTE)
      yield* pumped
      yield* run
      const { body, headers }: Got = receiver.got[0] ?? { path: "", headers: {}, body: "" }
      expect(
        yield* Effect.promise(() => verifyWebhook(body, headers, { secret: SECRET, now: () => NOON }))
      ).toMatchObject({
        type: "alarm.raised",
        data: { kind: "pumping", about: "+2348", severity: "warn", link: "#/guards", count: 1, ended: null }
      })
      yield* TestClock.adjust(MINUTE)
      yield* run
      expect(receiver.got).toHaveLength(1)
      yield* TestClock.adjust("4 hours")
      yield* run
      const [first, second] = bodies(receiver)
      expect(second?.data).toMatchObject({ alarm_id: first?.data["alarm_id"], count: 2 })
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("are looked at by one process in a minute", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const processes = [yield* open({ destinations: [to(receiver)] }), yield* open({ destinations: [to(receiver)] })]
      yield* pumped
      yield* Effect.forEach(processes, ({ run }) => run, { concurrency: 2 })
      expect(receiver.got).toHaveLength(1)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("say once that a problem is over, after five minutes without it", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const { run } = yield* open({ destinations: [to(receiver)] })
      yield* pumped
      yield* run
      yield* calmed
      for (let minute = 0; minute < 10; minute++) {
        yield* TestClock.adjust(MINUTE)
        yield* run
      }
      const [raised, resolved, ...more] = bodies(receiver)
      expect(resolved).toMatchObject({
        type: "alarm.resolved",
        data: { alarm_id: raised?.data["alarm_id"], ended: "2027-01-31T12:05:00.000Z" }
      })
      expect(more).toEqual([])
      yield* pumped
      yield* TestClock.adjust(MINUTE)
      yield* run
      expect(bodies(receiver)[2]?.data["alarm_id"]).not.toBe(raised?.data["alarm_id"])
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("are sent again under the same ids while a receiver fails", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() =>
        receive((response, number) => status(number < 3 ? 500 : 204)(response))
      )
      const { run } = yield* open({ destinations: [to(receiver)] })
      yield* pumped
      for (let minute = 0; minute < 5; minute++) {
        yield* run
        yield* TestClock.adjust(MINUTE)
      }
      expect(receiver.got).toHaveLength(3)
      expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
      expect(new Set(bodies(receiver).map(({ data }) => data["alarm_id"])).size).toBe(1)
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("are repeated under the same ids after a process that died while it sent", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() =>
        receive((response, number) => (number === 1 ? undefined : status(204)(response)))
      )
      const dying = yield* open({ destinations: [to(receiver)] })
      yield* pumped
      const running = yield* Effect.forkChild(dying.run)
      yield* Effect.promise(() => receiver.until(1))
      yield* Fiber.interrupt(running)
      yield* TestClock.adjust(MINUTE)
      const next = yield* open({ destinations: [to(receiver)] })
      yield* next.run
      const [first, second] = bodies(receiver)
      expect(second?.data["alarm_id"]).toBe(first?.data["alarm_id"])
      expect(receiver.got[1]?.headers["webhook-id"]).toBe(receiver.got[0]?.headers["webhook-id"])
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("keep warnings back in quiet hours, and send bad problems", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const { run } = yield* open({ destinations: [to(receiver)], quiet: parse("11:00-13:00") })
      yield* pumped
      yield* emptied
      yield* run
      expect(bodies(receiver).map(({ data }) => data["kind"])).toEqual(["balance_low"])
      yield* TestClock.adjust(HOUR)
      yield* run
      expect(bodies(receiver).map(({ data }) => data["kind"])).toEqual(["balance_low", "pumping"])
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("go to a chat and by e-mail as one text for all problems", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const mails: Array<Mail> = []
      const send = async (mail: Mail) => void mails.push(mail)
      const { run } = yield* open({
        destinations: [slack(Redacted.make(receiver.url)), email(["a@example.com"], send)]
      })
      yield* pumped
      yield* emptied
      yield* run
      const { text } = JSON.parse(receiver.got[0]?.body ?? "{}")
      expect(text).toContain("The account Café Zürich has 0 EUR left.")
      expect(text).toContain("Guards block +2348 for pumping")
      expect(receiver.got).toHaveLength(1)
      expect(mails).toMatchObject([
        {
          to: ["a@example.com"],
          subject: "Watchword: 2 alarms: The account Café Zürich has 0 EUR left.",
          text: expect.stringContaining("Guards block +2348 for pumping")
        }
      ])
    }).pipe(Effect.scoped, Effect.provide(services()))
  )

  it.effect("do not go to private addresses unless they may, and a test says so", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const failing = async () =>
        Promise.reject(Object.assign(new Error("smtp://user:password@host"), { code: "EAUTH" }))
      const { test } = yield* open({
        destinations: [to(receiver), slack(Redacted.make(receiver.url)), email(["a@example.com"], failing)]
      })
      expect(yield* test).toEqual([
        { destination: "webhook", taken: false, answer: "private address" },
        { destination: "slack", taken: false, answer: "private address" },
        { destination: "email", taken: false, answer: "EAUTH" }
      ])
      expect(receiver.got).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(services(false)))
  )

  it.effect("send a test at once", () =>
    Effect.gen(function* () {
      yield* atNoon
      const receiver = yield* Effect.promise(() => receive())
      const { test } = yield* open({ destinations: [to(receiver)] })
      expect(yield* test).toEqual([{ destination: "webhook", taken: true, answer: "204" }])
      expect(bodies(receiver)).toMatchObject([{ type: "alarm.test", data: { kind: "test" } }])
    }).pipe(Effect.scoped, Effect.provide(services()))
  )
})
