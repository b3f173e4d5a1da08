import { describe, expect } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { answer } from "../../../../test/provider.ts"
import { eventually, test } from "../../../../test/live.ts"
import { collectEvents, message, receiptOf, startCarrier, told, until } from "../smpp/fixture.ts"
import { type Answer, receipt } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { isUp, link, startCarriers, startTwilio } from "./fixture.ts"

const COST = { "49": 0.061, "*": "0.07" }

/** Two carriers; the first answers as a test says. */
const startTwo = Effect.fnUntraced(function* (first: () => Answer) {
  const acme = yield* startCarrier({ submit: first })
  const bell = yield* startCarrier()
  const gateway = yield* startCarriers({ acme: { gateway: link(acme), cost: COST }, bell: link(bell) })
  return { acme, bell, gateway }
})

const refusing = { submit: () => ({ status: STATUS.RSYSERR }) }

describe("a message of two carriers", () => {
  test(
    "leaves by the first, whose name is on its ids and its record",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => ({ id: "1f" }))
      expect(yield* gateway.send(message())).toEqual({
        _tag: "Accepted",
        refs: ["acme:1f"],
        details: { carrier: "acme", carriers: "acme", cost: 61_000 }
      })
      expect([acme.submits.length, bell.submits.length]).toEqual([1, 0])
    })
  )

  for (const [status, name] of [
    [STATUS.RTHROTTLED, "throttles"],
    [STATUS.RMSGQFUL, "has a full queue"],
    [STATUS.RSYSERR, "has a system error"]
  ] as const) {
    test(
      `leaves by the second where the first ${name}`,
      Effect.fnUntraced(function* () {
        const { acme, bell, gateway } = yield* startTwo(() => ({ status }))
        const outcome = yield* gateway.send(message())
        expect([told(outcome), outcome.details["carrier"]]).toEqual(["Accepted", "bell"])
        expect([acme.submits.length, bell.submits.length]).toEqual([1, 1])
      })
    )
  }

  test(
    "leaves by the second where the first is not bound",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => ({}))
      yield* Effect.promise(() => acme.stop())
      yield* isUp(gateway, "acme", false)
      expect((yield* gateway.send(message())).details).toEqual({ carrier: "bell" })
      expect(bell.submits).toHaveLength(1)
    })
  )

  test(
    "never leaves by the second where the first does not answer",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => "silence")
      const outcome = yield* gateway.send(message())
      expect([told(outcome), outcome.details["carrier"]]).toEqual(["Unknown TEMPORARY_UNAVAILABLE", "acme"])
      expect([acme.submits.length, bell.submits.length]).toEqual([1, 0])
    })
  )

  test(
    "never leaves by the second where the connection to the first is lost after it was written",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => "silence")
      const sending = yield* Effect.forkChild(gateway.send(message()))
      yield* until(acme, () => acme.submits.length === 1)
      for (const session of acme.bound) session.socket.destroy()
      expect(told(yield* Fiber.join(sending))).toBe("Unknown SERVICE_UNAVAILABLE")
      expect(bell.submits).toHaveLength(0)
    })
  )

  test(
    "is refused for good where the first refuses its number",
    Effect.fnUntraced(function* () {
      const { bell, gateway } = yield* startTwo(() => ({ status: STATUS.RINVDSTADR }))
      const outcome = yield* gateway.send(message())
      expect([told(outcome), outcome.details["carrier"]]).toEqual(["Rejected BAD_REQUEST", "acme"])
      expect(bell.submits).toHaveLength(0)
    })
  )

  test(
    "leaves by the second while the window of the first is full, and by the first again once it has room",
    Effect.fnUntraced(function* () {
      const acme = yield* startCarrier({ submit: () => "silence" })
      const bell = yield* startCarrier()
      const gateway = yield* startCarriers({ acme: link(acme, "window=1&timeout=60"), bell: link(bell) })
      const first = yield* Effect.forkChild(gateway.send(message()))
      yield* until(acme, () => acme.submits.length === 1)
      expect((yield* gateway.send(message())).details["carrier"]).toBe("bell")
      acme.submits[0]?.answer({})
      yield* Fiber.join(first)
      acme.script.submit = () => ({})
      expect((yield* gateway.send(message())).details["carrier"]).toBe("acme")
      expect([acme.submits.length, bell.submits.length]).toEqual([2, 1])
    })
  )

  test(
    "waits for the first while no carrier has room",
    Effect.fnUntraced(function* () {
      const acme = yield* startCarrier({ submit: () => "silence" })
      const bell = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startCarriers({
        acme: link(acme, "window=1&timeout=60"),
        bell: link(bell, "window=1&timeout=60")
      })
      const one = yield* Effect.forkChild(gateway.send(message()))
      yield* until(acme, () => acme.submits.length === 1)
      const two = yield* Effect.forkChild(gateway.send(message()))
      yield* until(bell, () => bell.submits.length === 1)
      const three = yield* Effect.forkChild(gateway.send(message()))
      acme.script.submit = () => ({})
      acme.submits[0]?.answer({})
      expect((yield* Fiber.join(three)).details["carrier"]).toBe("acme")
      bell.submits[0]?.answer({})
      yield* Effect.forEach([one, two], Fiber.join)
      expect([acme.submits.length, bell.submits.length]).toEqual([2, 1])
    })
  )
})

describe("a text of several parts", () => {
  const THREE = "Your code is 123456. ".repeat(20)

  test(
    "leaves whole by the second carrier where the first refuses all of its parts",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => ({ status: STATUS.RTHROTTLED }))
      const outcome = yield* gateway.send(message(THREE))
      expect([told(outcome), outcome.details["carrier"]]).toEqual(["Accepted", "bell"])
      expect([acme.submits.length, bell.submits.length]).toEqual([3, 3])
    })
  )

  for (const refused of [2, 3]) {
    test(
      `is bound to the carrier that took a part of it, which gets part ${refused} again`,
      Effect.fnUntraced(function* () {
        let count = 0
        const { acme, bell, gateway } = yield* startTwo(() => (++count === refused ? { status: STATUS.RMSGQFUL } : {}))
        const outcome = yield* gateway.send(message(THREE))
        expect([told(outcome), outcome.details["carrier"]]).toEqual(["Accepted", "acme"])
        expect(outcome.details["cost"]).toBe(3 * 61_000)
        expect([acme.submits.length, bell.submits.length]).toEqual([4, 0])
      })
    )
  }

  test(
    "of which the first carrier took a part fails there, and not by the second",
    Effect.fnUntraced(function* () {
      let count = 0
      const { bell, gateway } = yield* startTwo(() => (++count === 2 ? { status: STATUS.RSYSERR } : {}))
      const outcome = yield* gateway.send(message(THREE))
      expect([told(outcome), outcome.details["cost"]]).toEqual(["Incomplete TEMPORARY_UNAVAILABLE", 2 * 61_000])
      expect(bell.submits).toHaveLength(0)
    })
  )
})

test(
  "a message that both carriers refuse names the first beside the one that refused it last",
  Effect.fnUntraced(function* () {
    const [acme, bell] = [yield* startCarrier(refusing), yield* startCarrier(refusing)]
    const gateway = yield* startCarriers({ acme: link(acme), bell: link(bell) })
    const outcome = yield* gateway.send(message())
    expect([outcome.details["carrier"], outcome.details["refused_by"]]).toEqual(["bell", "acme"])
  })
)

test(
  "a message leaves by no carrier that costs more than its route allows, or whose cost is not known",
  Effect.fnUntraced(function* () {
    const [acme, bell, cell] = [yield* startCarrier(), yield* startCarrier(), yield* startCarrier()]
    const gateway = yield* startCarriers(
      {
        acme: { gateway: link(acme), cost: COST },
        bell: link(bell),
        cell: { gateway: link(cell), cost: { "*": 0.05 } }
      },
      { routes: [{ to: "*", via: ["acme", "bell", "cell"], max_cost: 0.06 }] }
    )
    expect((yield* gateway.send(message())).details["carrier"]).toBe("cell")
    expect([acme.submits.length, bell.submits.length]).toEqual([0, 0])
  })
)

describe("a carrier that refuses the messages of several recipients in a row", () => {
  test(
    "rests, and the others take its place",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => ({ status: STATUS.RSYSERR }))
      for (const to of [1, 2, 3, 4].map(numberOf)) yield* gateway.send(message("a", { to }))
      expect([acme.submits.length, bell.submits.length]).toEqual([3, 4])
    })
  )

  test(
    "does not rest where they are of one recipient, who could bring it about",
    Effect.fnUntraced(function* () {
      const { acme, gateway } = yield* startTwo(() => ({ status: STATUS.RSYSERR }))
      for (let send = 0; send < 5; send++) yield* gateway.send(message())
      expect(acme.submits).toHaveLength(5)
    })
  )
})

describe("a provider over HTTP beside a carrier over SMPP", () => {
  const start = Effect.gen(function* () {
    const { gateway: tw, provider, receiver } = yield* startTwilio
    const bell = yield* startCarrier({ receipt: (submit) => receipt(submit) })
    const gateway = yield* startCarriers({ tw, bell: link(bell) })
    receiver.serve(gateway.webhook)
    return { bell, gateway, provider }
  })

  test(
    "is followed by the carrier where it answers 429 and promises that it took nothing",
    Effect.fnUntraced(function* () {
      const { bell, gateway, provider } = yield* start
      provider.once(answer(429, "{}"))
      expect((yield* gateway.send(message())).details["carrier"]).toBe("bell")
      expect([provider.calls.length, bell.submits.length]).toEqual([1, 1])
    })
  )

  test(
    "is not followed where the connection breaks after the request",
    Effect.fnUntraced(function* () {
      const { bell, gateway, provider } = yield* start
      provider.once("drop")
      expect(told(yield* gateway.send(message()))).toBe("Unknown TEMPORARY_UNAVAILABLE")
      expect(bell.submits).toHaveLength(0)
    })
  )

  test(
    "has receipts that name it, as the carrier has",
    Effect.fnUntraced(function* () {
      const { gateway, provider } = yield* start
      const heard = yield* collectEvents(gateway)
      const first = yield* gateway.send(message())
      provider.once(answer(429, "{}"))
      const second = yield* gateway.send(message())
      yield* heard.count(2)
      const receipts = heard.events.map(receiptOf)
      for (const [carrier, outcome] of [
        ["tw", first],
        ["bell", second]
      ] as const) {
        const [ref = ""] = outcome._tag === "Accepted" ? outcome.refs : []
        expect(ref.startsWith(`${carrier}:`)).toBe(true)
        const its = receipts.find((receipt) => receipt?.refs.includes(ref))
        expect([its?.status, its?.details?.["carrier"]]).toEqual(["delivered", carrier])
      }
      yield* eventually(Effect.sync(() => provider.acknowledgements.includes(200)))
    })
  )

  test(
    "refuses an event that none of them has signed",
    Effect.fnUntraced(function* () {
      const { gateway } = yield* start
      const { webhook = null } = gateway
      const request = { query: {}, headers: { "x-twilio-signature": "bad" }, rawBody: new Uint8Array() }
      const answered = webhook === null ? null : yield* webhook.handle({ ...request, method: "POST" })
      expect([answered?.status, webhook?.signatureHeaders]).toEqual([401, ["x-twilio-signature"]])
    })
  )
})

describe("carriers that are all out", () => {
  test(
    "refuse a message for want of a route",
    Effect.fnUntraced(function* () {
      const { acme, bell, gateway } = yield* startTwo(() => ({}))
      yield* Effect.promise(() => Promise.all([acme.stop(), bell.stop()]))
      yield* isUp(gateway, "acme", false)
      yield* isUp(gateway, "bell", false)
      const outcome = yield* gateway.send(message())
      expect(outcome).toMatchObject({ _tag: "Rejected", failure: { _tag: "SERVICE_UNAVAILABLE", reason: "no_route" } })
    })
  )
})

const numberOf = (last: number) => E164.make(`+49151234${String(last).padStart(5, "0")}`)
