/**
 * Calls that an earlier process left behind.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { test } from "../../../../test/live.ts"
import { collectEnds, dial, order, quick, startGateway, startTrunk, resultOf, until } from "./fixture.ts"
import { branch, cseq, header, tag } from "@watchword/sandbox/trunk"
import type { Trunk } from "@watchword/sandbox/trunk"

/** A process that places a call and dies: its gateway can say nothing to the trunk any more. */
const die = Effect.fnUntraced(function* (trunk: Trunk, url = trunk.url(), protocol = "udp") {
  const scope = yield* Scope.make()
  const gateway = yield* Scope.provide(startGateway(url, { drain: 0 }), scope)
  const dialogs: Array<string> = []
  const call = order()
  const dialled = yield* gateway.dial(call, (dialog) => Effect.sync(() => dialogs.push(dialog)))
  if (dialled._tag === "Ringing") dialogs.push(dialled.dialog)
  const loses = trunk.script.loses
  const { handle } = deafen(trunk)
  yield* Scope.close(scope, Exit.void)
  if (protocol === "udp") trunk.script.loses = loses
  handle()
  return { delivery: call.delivery, dialogs }
})

/** Drops the dying gateway's last messages. */
const deafen = (trunk: Trunk) => {
  const { loses, cancel } = trunk.script
  trunk.script.loses = () => true
  trunk.script.cancel = "silence"
  return {
    handle: () => {
      trunk.script.loses = loses
      trunk.script.cancel = cancel
    }
  }
}

describe("a call of an earlier process", () => {
  test(
    "is cancelled in its words, from its address, and ends once",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const { delivery, dialogs } = yield* die(trunk)
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      // The dialog from before the INVITE is enough.
      yield* gateway.recover([{ delivery, dialog: dialogs[0] ?? "" }])
      yield* count(1)
      expect(ends).toMatchObject([
        { delivery, cause: { hangupCause: "ORIGINATOR_CANCEL", sipStatus: 487 }, answeredAt: null }
      ])
      yield* until(trunk, () => trunk.requests("ACK").length > 0)
      const [invite] = trunk.requests("INVITE")
      const [cancel] = trunk.requests("CANCEL")
      if (invite === undefined || cancel === undefined) throw new Error("too few messages")
      for (const name of ["via", "from", "to", "call-id"]) expect(header(cancel, name)).toBe(header(invite, name))
      expect([cancel.uri, cseq(cancel)]).toEqual([invite.uri, cseq(invite)])
      expect(trunk.peers.every(({ port }) => port === trunk.peers[0]?.port)).toBe(true)
    })
  )

  test(
    "over TCP is cancelled over a new connection",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk({}, { protocol: "tcp" })
      const { delivery, dialogs } = yield* die(trunk, trunk.url(), "tcp")
      trunk.received.length = 0
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { count } = yield* collectEnds(gateway)
      // The 487 is sent over the connection of the dead process; the call is over all the same.
      yield* gateway.recover([{ delivery, dialog: dialogs[1] ?? "" }])
      yield* until(trunk, () => trunk.requests("CANCEL").length > 0)
      expect(branch(trunk.requests("CANCEL")[0] ?? trunk.calls[0]?.invite ?? fail())).toBe(
        branch(trunk.calls[0]?.invite ?? fail())
      )
      yield* count(1)
    })
  )

  test(
    "gives its address back to the process that had it",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const { delivery, dialogs } = yield* die(trunk)
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { count } = yield* collectEnds(gateway)
      yield* gateway.recover([{ delivery, dialog: dialogs[1] ?? "" }])
      yield* count(1)
      // It is taken for a while, in which a final response may be retransmitted.
      const listen = { host: "127.0.0.1", port: trunk.peers[0]?.port ?? 0 }
      const error = yield* Effect.flip(startGateway(trunk.url(), { listen, bindPatience: 0 }))
      expect(error.message).toContain("EADDRINUSE")
      const restarted = yield* startGateway(trunk.url(), { listen })
      expect(resultOf(yield* dial(restarted))).toBe("Ringing")
      expect(trunk.peers.at(-1)?.port).toBe(listen.port)
    })
  )

  test(
    "that was answered meanwhile is hung up on",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const { delivery, dialogs } = yield* die(trunk)
      trunk.script.cancel = 481
      const gateway = yield* startGateway(trunk.url(), { timers: quick })
      const { ends, count } = yield* collectEnds(gateway)
      yield* gateway.recover([{ delivery, dialog: dialogs[1] ?? "" }])
      yield* until(trunk, () => trunk.requests("BYE").length > 0)
      expect(trunk.calls.map((call) => call.tag)).toContain(tag(header(trunk.requests("BYE")[0] ?? fail(), "to")))
      yield* count(1)
      expect(ends).toMatchObject([{ delivery, cause: { hangupCause: "NORMAL_UNSPECIFIED", sipStatus: null } }])
    })
  )

  test(
    "that answers while it is cancelled is acknowledged and hung up on",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const { delivery, dialogs } = yield* die(trunk)
      const [call] = trunk.calls
      if (call === undefined) throw new Error("no call")
      call.cancelled = () => call.accept()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      yield* gateway.recover([{ delivery, dialog: dialogs[0] ?? "" }])
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NORMAL_CLEARING" }, answeredAt: expect.any(Number) }])
      expect(trunk.requests("BYE")).toHaveLength(1)
    })
  )

  test(
    "without a readable dialog ends with an unspecified cause",
    Effect.fnUntraced(function* () {
      const trunk = yield* startTrunk()
      const gateway = yield* startGateway(trunk.url())
      const { ends, count } = yield* collectEnds(gateway)
      const whole = {
        trunk: "x",
        protocol: "udp",
        address: "127.0.0.1",
        port: String(trunk.port),
        sentBy: "127.0.0.1:5060",
        uri: "sip:a",
        from: "a",
        proxy: "",
        callId: "d",
        cseq: "1",
        dialog: "0"
      }
      const broken = [
        { ...whole, from: "a\rRoute: <sip:evil>" },
        { ...whole, protocol: "tcp", port: "70000" },
        { ...whole, protocol: "tcp", address: "evil.example" },
        { ...whole, sentBy: "nowhere" }
      ]
      const stored = ["", "{}", "[]", '[{"trunk":1}]', ...broken.map((invite) => Object.values(invite).join("\n"))]
      const calls = stored.map((dialog, index) => ({
        delivery: DeliveryId.make(`01KAJ3T8ZZ000000000000000${index}`),
        dialog
      }))
      yield* gateway.recover(calls)
      yield* count(stored.length)
      expect(ends.map(({ delivery }) => delivery)).toEqual(calls.map(({ delivery }) => delivery))
      expect(ends.map(({ cause }) => cause.hangupCause)).toEqual(stored.map(() => "NORMAL_UNSPECIFIED"))
      yield* dial(gateway)
      expect(trunk.methods).toEqual(["INVITE"])
    })
  )
})

const fail = (): never => {
  throw new Error("missing")
}
