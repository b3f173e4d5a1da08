import { describe, expect } from "@effect/vitest"
import { noKeys } from "@watchword/send/Claims"
import { Sms } from "@watchword/sms/Sms"
import type { SmsEvent } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import { logged, test } from "../../../../test/live.ts"
import { collectEvents, message, startBound, startCarrier } from "./fixture.ts"
import { body, funded, layer } from "./service.ts"
import type * as wire from "@watchword/sandbox/smsc"

const refsOf = (events: ReadonlyArray<SmsEvent>) =>
  events.map((event) => (event._tag === "Receipt" ? event.refs : event._tag))

describe("a text that reads like a receipt", () => {
  /** A gateway that has sent one message, under the id 7f3a09. */
  const sentOne = Effect.fnUntraced(function* (query = "") {
    const carrier = yield* startCarrier({ submit: () => ({ id: "7F3A09" }) })
    const gateway = yield* startBound(carrier.url(query))
    const { count, events } = yield* collectEvents(gateway)
    yield* gateway.send(message())
    const bring = (fields: wire.DeliverFields) =>
      Effect.forEach(carrier.sessions, (session) =>
        Effect.promise(() => session.deliver({ esmClass: 0, text: "id:7F3A09 stat:DELIVRD err:000", ...fields }))
      )
    return { bring, carrier, count, events }
  })

  const forgeries: ReadonlyArray<readonly [string, wire.DeliverFields]> = [
    ["another number", { source: "4915198765432" }],
    ["a number with the same last digits", { source: "33623456789" }],
    ["a short code", { sourceTon: 3, source: "12345" }],
    ["a name", { sourceTon: 5, source: "Acme" }],
    ["a national number", { sourceTon: 2, source: "15123456789" }],
    ["the recipient, about another message", { text: "id:7F3A10 stat:DELIVRD err:000" }],
    ["the recipient, who says that nothing came", { text: "id:7F3A09 stat:UNDELIV err:000" }],
    ["the recipient, who says that it was refused", { text: "id:7F3A09 stat:REJECTD err:000" }]
  ]
  for (const [from, fields] of forgeries) {
    test(
      `is none when it comes from ${from}, and is logged once`,
      Effect.fnUntraced(function* () {
        const [, log] = yield* logged(
          Effect.gen(function* () {
            const { bring, carrier, events } = yield* sentOne()
            yield* bring(fields)
            yield* bring(fields)
            expect(carrier.acknowledgements).toEqual([0, 0])
            expect(events).toEqual([])
          })
        )
        expect(log.match(/unmarked_receipts=yes/g)).toHaveLength(1)
      })
    )
  }

  test(
    "is one when it comes from the recipient, about a message of late, in either base",
    Effect.fnUntraced(function* () {
      const { bring, count, events } = yield* sentOne()
      yield* bring({})
      yield* bring({ text: `id:${0x7f3a09} stat:DELIVRD err:000` })
      yield* count(2)
      expect(refsOf(events)).toEqual([["7f3a09"], ["7f3a09"]])
    })
  )

  test(
    "is one where the carrier is known not to mark receipts",
    Effect.fnUntraced(function* () {
      const { bring, count, events } = yield* sentOne("unmarked_receipts=yes")
      yield* bring({ sourceTon: 2, source: "15123456789", text: "id:1-1 stat:UNDELIV" })
      yield* count(1)
      expect(refsOf(events)).toEqual([["1-1"]])
    })
  )

  test(
    "leaves the record to the receipt that the carrier marks",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      yield* Effect.gen(function* () {
        const sms = yield* Sms
        const caller = yield* funded
        const to = "+4915123456789"
        const { messageId } = yield* sms.send(caller, body({ to, text: "Your code is 123456" }), noKeys)
        const [session] = carrier.sessions
        const bring = (esmClass: number, stat: string) =>
          Effect.promise(async () => session?.deliver({ esmClass, text: `id:1 stat:${stat} err:000` }))
        const statusOf = Effect.map(sms.get(caller, messageId), ({ status }) => status)
        expect(yield* bring(0, "UNDELIV")).toBe(0)
        expect(yield* statusOf).toBe("sent")
        expect(yield* bring(4, "DELIVRD")).toBe(0)
        expect(yield* statusOf).toBe("delivered")
      }).pipe(Effect.provide(layer(gateway)))
    })
  )
})
