import * as SipPhone from "@watchword/call/internal/sip/SipPhone"
import * as Effect from "effect/Effect"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { describe, expect } from "vitest"
import { test } from "../../../../test/live.ts"
import { callee, caller, collectEnds, dial, order, quick, startGateway, told } from "./fixture.ts"

/** Phones that ring, and a gateway of our own whose trunk they are. */
const phones = Effect.fnUntraced(function* (status: number | null = null) {
  const rung: Array<SipPhone.Incoming> = []
  const ends: Array<SipPhone.End> = []
  let canceled = 0
  const phone = yield* Effect.acquireRelease(
    Effect.promise(() =>
      SipPhone.listen({
        host: "127.0.0.1",
        port: 0,
        ring: async (call, end) => {
          rung.push(call)
          if (status !== null) return { status }
          ends.push(end)
          return { canceled: () => void canceled++ }
        }
      })
    ),
    (phone) => Effect.promise(() => phone.close())
  )
  const gateway = yield* startGateway(`sip:127.0.0.1:${phone.port}`, { timers: quick })
  return { phone, gateway, rung, end: (status: number) => ends.at(-1)?.(status), canceled: () => canceled }
})

describe("a simulated phone", () => {
  test(
    "rings, and hears that the caller gives up",
    Effect.fnUntraced(function* () {
      const { canceled, gateway, rung } = yield* phones()
      const { count, ends } = yield* collectEnds(gateway)
      const call = order()
      expect(told(yield* dial(gateway, call))).toBe("Ringing")
      expect(rung).toEqual([{ caller, callee }])
      yield* gateway.hangup(call.delivery, "NO_ANSWER")
      yield* count(1)
      expect(ends).toMatchObject([{ cause: { hangupCause: "NO_ANSWER", sipStatus: 487 } }])
      expect(canceled()).toBe(1)
    })
  )

  for (const [status, cause] of [
    [486, "USER_BUSY"],
    [603, "CALL_REJECTED"],
    [200, "NORMAL_CLEARING"]
  ] as const) {
    test(
      `ends a call that rings with ${status}`,
      Effect.fnUntraced(function* () {
        const { end, gateway } = yield* phones()
        const { count, ends } = yield* collectEnds(gateway)
        expect(told(yield* dial(gateway))).toBe("Ringing")
        end(status)
        yield* count(1)
        expect(ends).toMatchObject([{ cause: { hangupCause: cause } }])
      })
    )
  }

  test(
    "refuses a call before it rings",
    Effect.fnUntraced(function* () {
      const { gateway } = yield* phones(404)
      expect(told(yield* dial(gateway))).toBe("TEMPORARY_UNAVAILABLE UNALLOCATED_NUMBER")
    })
  )

  test(
    "answers what it does not know, and lives on where it gets garbage",
    Effect.fnUntraced(function* () {
      const { gateway, phone } = yield* phones()
      const socket = createSocket("udp4")
      const ask = (method: string) =>
        Effect.promise(async () => {
          const lines = [
            `${method} sip:+4915123456789@127.0.0.1 SIP/2.0`,
            "Via: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1;rport",
            "From: <sip:a@b>;tag=1",
            "To: <sip:c@d>",
            "Call-ID: x",
            `CSeq: 1 ${method}`,
            "Content-Length: 0"
          ]
          socket.send(`${lines.join("\r\n")}\r\n\r\n`, phone.port, "127.0.0.1")
          const [answer]: Array<Buffer> = await once(socket, "message")
          return answer?.toString("latin1").split("\r\n")[0]
        })
      socket.send(Buffer.from([0, 1, 2, 255]), phone.port, "127.0.0.1")
      expect(yield* ask("OPTIONS")).toBe("SIP/2.0 200 OK")
      expect(yield* ask("BYE")).toBe("SIP/2.0 481 Call/Transaction Does Not Exist")
      expect(yield* ask("SUBSCRIBE")).toBe("SIP/2.0 405 Method Not Allowed")
      socket.close()
      expect(told(yield* dial(gateway))).toBe("Ringing")
    })
  )
})
