/**
 * Several trunks: which of them a call goes to.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as StoredDialog from "../../src/internal/sip/StoredDialog.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { fromUrls } from "@watchword/call/sip"
import { eventually, logged, test, timed, turns } from "../../../../test/live.ts"
import { collectEnds, dial, order, startGateway, startTrunk, resultOf, until } from "./fixture.ts"

const down = (status: number, headers: ReadonlyArray<string> = []) => ({
  invite: (call: { respond: (status: number, options: { headers: ReadonlyArray<string> }) => void }) =>
    call.respond(status, { headers })
})

/** A call to one of several destinations. */
const orderTo = (index: number) => order({ callee: E164.make(`+491512345${String(index).padStart(4, "0")}`) })

describe("a call goes to the next trunk", () => {
  for (const status of [500, 502, 503]) {
    test(
      `when the first answers ${status}`,
      Effect.fnUntraced(function* () {
        const first = yield* startTrunk(down(status))
        const second = yield* startTrunk()
        const gateway = yield* startGateway(`${first.url()},${second.url()}`)
        expect(resultOf(yield* dial(gateway))).toBe("Ringing")
        expect([first.calls.length, second.calls.length]).toEqual([1, 1])
      })
    )
  }

  test(
    "when the first says nothing, and the first is cancelled should it wake up",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({ invite: () => {} })
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const { ends, count } = yield* collectEnds(gateway)
      const call = order()
      expect(resultOf(yield* dial(gateway, call))).toBe("Ringing")
      first.calls[0]?.respond(180)
      yield* until(first, () => first.requests("ACK").length > 0)
      expect(first.requests("CANCEL")).toHaveLength(1)
      expect(second.requests("CANCEL")).toEqual([])
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER", sipStatus: 487 } }])
    })
  )

  test(
    "when the first says nothing, whose late 180 is not the second one's",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({ invite: () => {} })
      const second = yield* startTrunk({ invite: () => {} })
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const dialling = yield* Effect.forkScoped(dial(gateway))
      yield* until(second, () => second.calls.length === 1)
      first.calls[0]?.respond(180)
      yield* until(first, () => first.requests("CANCEL").length > 0)
      second.calls[0]?.respond(486)
      expect(resultOf(yield* Fiber.join(dialling))).toBe("BUSY_HERE USER_BUSY")
    })
  )

  test(
    "when nothing listens at the address of the first",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({}, { protocol: "tcp" })
      const url = first.url()
      yield* Effect.promise(() => first.stop())
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${url},${second.url()}`)
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
    })
  )

  test(
    "but not when the callee is at fault",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(486))
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      expect(resultOf(yield* dial(gateway))).toBe("BUSY_HERE USER_BUSY")
      expect(second.calls).toEqual([])
    })
  )

  test(
    "when the first one refuses our account, and the operator learns what to try",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(403, ['Reason: SIP;cause=403;text="Caller 4930901820123 is not yours"']))
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const [dialled, log] = yield* logged(dial(gateway))
      expect(resultOf(dialled)).toBe("Ringing")
      expect(log).toContain("refuses our account")
      expect(log).toContain(";from=account")
      expect(log).toContain("is not yours")
      expect(log).not.toContain("4930901820123")
      // Each call is not the trunk's to fail: it may be about one number, or one caller.
      expect(yield* gateway.health).toMatchObject([{ up: true }, { up: true }])
    })
  )

  test(
    "when the first one refuses every number, which is said once",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(484))
      const gateway = yield* startGateway(first.url())
      const [answers, log] = yield* logged(Effect.forEach([1, 2, 2, 3, 4], (index) => dial(gateway, orderTo(index))))
      expect(answers.map(resultOf)).toEqual([
        ...Array(3).fill("BAD_REQUEST INVALID_NUMBER_FORMAT"),
        ...Array(2).fill("SERVICE_UNAVAILABLE INVALID_NUMBER_FORMAT")
      ])
      expect(log.match(/refuses every number alike/g)).toHaveLength(1)
      expect(log).toContain(";plus=national")
      first.script.invite = (call) => call.respond(180)
      yield* dial(gateway)
      first.script.invite = (call) => call.respond(484)
      expect(resultOf(yield* dial(gateway, orderTo(5)))).toBe("BAD_REQUEST INVALID_NUMBER_FORMAT")
    })
  )

  test(
    "but not when the network blocks the caller id, whose text the operator reads without the code in it",
    Effect.fnUntraced(function* () {
      const said = 'Reason: SIP;cause=603;text="v=analytics1;url=https://example.com/redress;tel=+15551234567"'
      const first = yield* startTrunk({
        invite: (call) => call.respond(603, { phrase: "Network Blocked", headers: [said] })
      })
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const [dialled, log] = yield* logged(dial(gateway))
      expect(dialled).toMatchObject({ failure: { reason: "caller_blocked" }, cause: { hangupCause: "REJECT_ALL" } })
      expect(log).toContain("https://example.com/redress")
      expect(log).toContain("+493**********")
      expect(log).not.toMatch(/820123|5551234567/)
      expect(second.calls).toEqual([])
    })
  )

  test(
    "and fails with the last one's answer when there is no other",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(503))
      const second = yield* startTrunk(down(502))
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      expect(yield* dial(gateway)).toMatchObject({
        failure: { _tag: "SERVICE_UNAVAILABLE" },
        cause: { hangupCause: "NETWORK_OUT_OF_ORDER", sipStatus: 502 }
      })
    })
  )

  test(
    "with a dialog of its own, that is stored before, and names the first one as long as that may ring",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({ invite: () => {} })
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      const dialogs: Array<{ readonly dialog: string; readonly sent: number }> = []
      yield* gateway.dial(order(), (dialog) =>
        Effect.sync(() => dialogs.push({ dialog, sent: first.calls.length + second.calls.length }))
      )
      expect(dialogs.map(({ sent }) => sent)).toEqual([0, 1])
      const ids = (dialog = "") => StoredDialog.decode(dialog).map(({ callId }) => callId)
      expect(ids(dialogs[0]?.dialog)).toHaveLength(1)
      expect(ids(dialogs[1]?.dialog)).toHaveLength(2)
      expect(ids(dialogs[1]?.dialog)).toContain(ids(dialogs[0]?.dialog)[0])
    })
  )
})

describe("a trunk", () => {
  timed(
    "that asks for a rest when it answers OPTIONS gets it",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk({ options: () => [503, "Retry-After: 4 (maintenance)"] })
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url("keepalive=3600")},${second.url()}`)
      yield* until(first, () => first.requests("OPTIONS").length > 0)
      yield* turns
      yield* TestClock.adjust("3900 millis")
      yield* dial(gateway)
      expect(first.calls).toHaveLength(0)
      yield* TestClock.adjust("200 millis")
      yield* dial(gateway)
      expect(first.calls).toHaveLength(1)
    })
  )

  timed(
    "that asks for a rest when it rejects a call, which may be about its destination, gets some seconds for that one",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(503, ["Retry-After: 300"]))
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      yield* dial(gateway)
      first.script.invite = (call) => call.respond(180)
      yield* dial(gateway)
      expect([first.calls.length, second.calls.length]).toEqual([1, 2])
      yield* dial(gateway, orderTo(1))
      expect([first.calls.length, second.calls.length]).toEqual([2, 2])
      yield* TestClock.adjust("11 seconds")
      yield* dial(gateway)
      expect([first.calls.length, second.calls.length]).toEqual([3, 2])
    })
  )

  test(
    "that rejects calls to one destination alone is used for others",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(503))
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      for (let index = 0; index < 10; index++) yield* dial(gateway)
      expect([first.calls.length, second.calls.length]).toEqual([10, 10])
      first.script.invite = (call) => call.respond(180)
      yield* dial(gateway, orderTo(1))
      expect(second.calls).toHaveLength(10)
    })
  )

  test(
    "that rejects calls to several destinations is used as long as it takes most calls",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk()
      const second = yield* startTrunk()
      first.script.invite = (call) => call.respond(first.calls.length % 3 === 0 ? 503 : 180)
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      for (let index = 0; index < 30; index++) yield* dial(gateway, orderTo(index))
      expect([first.calls.length, second.calls.length]).toEqual([30, 10])
      expect(yield* gateway.health).toMatchObject([{ up: true }, { up: true }])
    })
  )

  timed(
    "that fails again and again is left alone, then tried with one call, then used again",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk(down(500))
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url()},${second.url()}`)
      for (let index = 0; index < 5; index++) expect(resultOf(yield* dial(gateway, orderTo(index)))).toBe("Ringing")
      expect(first.calls).toHaveLength(3)
      expect(yield* gateway.health).toMatchObject([{ up: false }, { up: true }])
      yield* TestClock.adjust("31 seconds")
      yield* Effect.all([dial(gateway), dial(gateway), dial(gateway)], { concurrency: "unbounded" })
      expect(first.calls).toHaveLength(4)
      first.script.invite = (call) => call.respond(180)
      yield* TestClock.adjust("31 seconds")
      yield* dial(gateway)
      yield* dial(gateway)
      expect(first.calls).toHaveLength(6)
      expect(yield* gateway.health).toMatchObject([{ up: true }, { up: true }])
    })
  )

  timed(
    "is asked from time to time whether it is there, and calls avoid it when it is not",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url("keepalive=10"), { timers: { t1: 500, t2: 4000, t4: 5000 } })
      const isUp = (up: boolean) => eventually(Effect.map(gateway.health, ([link]) => link?.up === up))
      yield* isUp(true)
      yield* TestClock.adjust("11 seconds")
      yield* until(trunk, () => trunk.requests("OPTIONS").length === 2)
      trunk.script.options = () => "silence"
      yield* eventually(
        Effect.andThen(
          TestClock.adjust("1 second"),
          Effect.map(gateway.health, ([link]) => link?.up === false)
        )
      )
      expect(resultOf(yield* dial(gateway))).toBe("SERVICE_UNAVAILABLE NETWORK_OUT_OF_ORDER")
      expect(trunk.calls).toEqual([])
      trunk.script.options = () => 200
      yield* eventually(
        Effect.andThen(
          TestClock.adjust("1 second"),
          Effect.map(gateway.health, ([link]) => link?.up === true)
        )
      )
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
    })
  )

  test(
    "that is sent no OPTIONS is up until a call says otherwise",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ invite: () => {} })
      const gateway = yield* startGateway(trunk.url("keepalive=0"), { setupTimeout: "20 millis" })
      expect(yield* gateway.health).toMatchObject([{ up: true }])
      for (let index = 0; index < 3; index++) yield* dial(gateway)
      expect(yield* gateway.health).toMatchObject([{ up: false }])
    })
  )

  test(
    "that knows no OPTIONS is used all the same",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ options: () => "silence" })
      const gateway = yield* startGateway(trunk.url("keepalive=1"), { silence: "10 millis" })
      yield* until(trunk, () => trunk.requests("OPTIONS").length > 0)
      yield* eventually(Effect.map(gateway.health, ([link]) => link?.up === false))
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(yield* gateway.health).toMatchObject([{ up: true }])
    })
  )

  timed(
    "is given no more calls a second than it allows",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url("keepalive=0;cps=2"))
      const calls = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkScoped(dial(gateway)))
      const answers = yield* Effect.forkScoped(Effect.forEach(calls, Fiber.join))
      yield* until(trunk, () => trunk.calls.length === 1)
      yield* TestClock.adjust("490 millis")
      yield* until(trunk, () => trunk.calls.length === 2)
      yield* TestClock.adjust("1000 millis")
      yield* until(trunk, () => trunk.calls.length === 4)
      yield* TestClock.adjust("1000 millis")
      expect((yield* Fiber.join(answers)).map(resultOf)).toEqual([
        ...Array(5).fill("Ringing"),
        "TEMPORARY_UNAVAILABLE SWITCH_CONGESTION"
      ])
      expect(trunk.calls).toHaveLength(5)
    })
  )

  timed(
    "has its post-dial delay counted from the first INVITE on, not from the wait for it",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url("keepalive=0;cps=1"))
      yield* dial(gateway)
      const fiber = yield* Effect.forkScoped(dial(gateway))
      // When its turn is there, to the millisecond.
      yield* TestClock.adjust("980 millis")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "Ringing", postDialDelay: 0 })
    })
  )

  timed(
    "is sent no INVITE of a call whose turn comes when its time is over",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url("keepalive=0;cps=1"), { setupTimeout: "500 millis" })
      yield* dial(gateway)
      const late = yield* Effect.forkScoped(dial(gateway))
      yield* TestClock.adjust("980 millis")
      yield* turns
      expect(trunk.calls).toHaveLength(1)
      expect(resultOf(yield* Fiber.join(late))).toBe("TEMPORARY_UNAVAILABLE PROGRESS_TIMEOUT")
    })
  )

  timed(
    "that is too busy lets a call go to the next one",
    Effect.fnUntraced(function* () {
      const first = yield* startTrunk()
      const second = yield* startTrunk()
      const gateway = yield* startGateway(`${first.url("keepalive=0;cps=0.1")},${second.url()}`)
      for (let index = 0; index < 3; index++) yield* dial(gateway)
      expect([first.calls.length, second.calls.length]).toEqual([1, 2])
    })
  )
})

describe("a trunk's name", () => {
  test(
    "is looked up: services by priority, then their addresses, and the next when one is dead",
    Effect.fnUntraced(function* () {
      const dead = yield* startTrunk({ invite: () => {} })
      const alive = yield* startTrunk()
      const asked: Array<string> = []
      const gateway = yield* startGateway("sip:id:pw@trunk.test;keepalive=0", {
        resolver: {
          srv: async (name) => {
            asked.push(name)
            return [
              { name: "b.trunk.test", port: alive.port, priority: 20, weight: 0 },
              { name: "a.trunk.test", port: dead.port, priority: 10, weight: 0 }
            ]
          },
          addresses: async (host, family) => {
            asked.push(`${host} ${family}`)
            return ["127.0.0.1"]
          }
        }
      })
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(asked).toEqual(["_sip._udp.trunk.test", "a.trunk.test 4", "b.trunk.test 4"])
      expect(alive.calls[0]?.invite.uri).toBe("sip:+4915123456789@trunk.test;user=phone")
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      // The endpoint that did not respond is tried last from then on.
      expect([dead.calls.length, alive.calls.length]).toEqual([1, 2])
    })
  )

  test(
    "with a port, or without services, has addresses only",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(`sip:id:pw@trunk.test:${trunk.port};keepalive=0`, {
        resolver: {
          srv: () => Promise.reject(new Error("must not be asked")),
          addresses: async () => ["::1", "127.0.0.1"]
        }
      })
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
    })
  )

  test(
    "that means nothing leaves calls to the next trunk",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(`sip:id:pw@nowhere.test,${trunk.url()}`, {
        resolver: {
          srv: () => Promise.reject(new Error("ENOTFOUND")),
          addresses: () => Promise.reject(new Error("ENOTFOUND"))
        }
      })
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
    })
  )
})

describe("a gateway", () => {
  const warned = [
    ["sip:id:pw@trunk.test", true],
    ["sip:id:pw@192.0.2.1;transport=tcp", true],
    ["sips:id:pw@trunk.test", false],
    ["sip:id:pw@trunk.test;transport=tls", false],
    ["sip:id:pw@127.0.0.1", false],
    ["sip:id:pw@localhost", false]
  ] as const
  for (const [url, isWarned] of warned) {
    test(
      `to ${url} ${isWarned ? "warns" : "does not warn"} of calls in clear`,
      Effect.fnUntraced(function* () {
        const resolver = { srv: () => Promise.reject(new Error()), addresses: () => Promise.reject(new Error()) }
        const [, log] = yield* logged(startGateway(`${url};keepalive=0`, { resolver }))
        expect(log.includes("without TLS")).toBe(isWarned)
        expect(log).not.toContain("pw")
      })
    )
  }

  test(
    "whose address is taken says so in a sentence",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const { port } = trunk
      const error = yield* Effect.flip(
        startGateway(trunk.url(), { listen: { host: "127.0.0.1", port }, bindPatience: 0 })
      )
      expect(error.message).toContain("listen address")
      expect(error.message).toContain(String(port))
    })
  )

  test(
    "at every address finds out its own",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url(), { listen: { host: "0.0.0.0", port: 0 } })
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.calls[0]?.invite.text).toMatch(/\r\nVia: SIP\/2\.0\/UDP 127\.0\.0\.1:/)
      expect(trunk.calls[0]?.invite.body).toContain("c=IN IP4 127.0.0.1")
    })
  )

  test(
    "behind NAT is reached where the trunk sees it",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ sees: { address: "203.0.113.9", port: 4444 } })
      const gateway = yield* startGateway(trunk.url("keepalive=60"))
      yield* eventually(Effect.map(gateway.health, ([link]) => link?.up === true))
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      const invite = trunk.calls[0]?.invite
      expect(invite?.headers.get("contact")).toEqual(["<sip:client@203.0.113.9:4444>"])
      expect(invite?.headers.get("via")?.[0]).toMatch(/^SIP\/2\.0\/UDP 127\.0\.0\.1:/)
      expect(invite?.body).toContain("c=IN IP4 203.0.113.9\r\n")
    })
  )

  test(
    "that the trunk sees at no address is reached at its own",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({ sees: { address: "unknown.invalid", port: 4444 } })
      const gateway = yield* startGateway(trunk.url("keepalive=60"))
      yield* eventually(Effect.map(gateway.health, ([link]) => link?.up === true))
      expect(resultOf(yield* dial(gateway))).toBe("Ringing")
      expect(trunk.calls[0]?.invite.headers.get("contact")?.[0]).toMatch(/^<sip:client@127\.0\.0\.1:\d+>$/)
    })
  )

  test(
    "names its trunks without their passwords",
    Effect.fnUntraced(function* () {
      const gateway = yield* startGateway("sip:id:secret@127.0.0.1:5999,sip:id:secret@127.0.0.1:5999")
      expect((yield* gateway.health).map(({ name }) => name)).toEqual(["127.0.0.1:5999", "127.0.0.1:5999#2"])
      expect(JSON.stringify(fromUrls("sip:id:secret@127.0.0.1:5999"))).not.toContain("secret")
    })
  )
})
