import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import { encode } from "@watchword/sms/EncodedText"
import { type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import { type Answer, type Smsc, type Text, smsc as startSmsc } from "@watchword/sandbox/smsc"
import { STATUS } from "@watchword/sandbox/smsc"
import { smpp } from "@watchword/sms/smpp"
import * as Effect from "effect/Effect"
import { connect } from "node:net"
import { once } from "node:events"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { until } from "../../../../test/until.ts"

const message = (said: string) => ({
  delivery: DeliveryId.make("01KAJ3T8ZZ0000000000000000"),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  to: E164.make("+4915123456789"),
  from: Sender.make("Acme"),
  text: encode(said),
  reference: 7,
  ttl: null,
  hasCode: true,
  tlvs: []
})

describe("a simulated carrier", () => {
  let smsc: Smsc
  const submitted: Array<Text> = []
  let answer: Answer = { id: "message-1" }

  beforeEach(async () => {
    submitted.length = 0
    answer = { id: "message-1" }
    smsc = await startSmsc({
      script: {
        take: async (message) => {
          submitted.push(message)
          return answer
        }
      }
    })
  })
  afterEach(() => smsc.stop())

  /** A client of our own, bound to it. */
  const bound = <A>(use: (gateway: SmsGateway["Service"], events: Array<SmsEvent>) => Effect.Effect<A>) =>
    Effect.runPromise(
      SmsGateway.use((gateway) =>
        Effect.gen(function* () {
          const events: Array<SmsEvent> = []
          yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
          return yield* use(gateway, events)
        })
      ).pipe(Effect.scoped, Effect.provide(smpp({ url: `smpp://id:secret@127.0.0.1:${smsc.port}` })))
    )

  it.each([
    ["one part", "Your code is 123456: {[€]}"],
    ["three parts", "Your code is 123456, and what follows is long. ".repeat(8)],
    ["another alphabet, in parts", "Ваш код: 123456 😀 ".repeat(12)]
  ])("takes a text of %s as one message, and sends a receipt for each part", async (_name, said) => {
    await bound((gateway, events) =>
      Effect.gen(function* () {
        const outcome = yield* gateway.send(message(said))
        expect(outcome._tag).toBe("Accepted")
        expect(submitted).toEqual([{ systemId: "id", from: "Acme", to: "+4915123456789", text: said }])
        smsc.report("message-1", "delivered")
        const parts = encode(said).parts.length
        yield* Effect.promise(() => until(() => events.length === parts))
        expect(events.every((event) => event._tag === "Receipt" && event.status === "delivered")).toBe(true)
      })
    )
  })

  it("refuses with the command status that it is given", async () => {
    answer = { status: STATUS.RINVDSTADR }
    const outcome = await bound((gateway) => gateway.send(message("Your code is 123456")))
    expect(outcome).toMatchObject({ _tag: "Rejected", failure: { _tag: "BAD_REQUEST" } })
  })

  it("lives on where a client sends garbage, and takes no text without a bind", async () => {
    const garbage = connect(smsc.port, "127.0.0.1")
    garbage.write("GET / HTTP/1.1\r\n\r\n")
    await once(garbage, "close")
    const stranger = connect(smsc.port, "127.0.0.1")
    // submit_sm with an empty body, sequence 1
    stranger.write(Buffer.from("00000010000000040000000000000001", "hex"))
    const [reply]: Array<Buffer> = await once(stranger, "data")
    expect(reply?.readUInt32BE(8)).toBe(4)
    stranger.destroy()
    expect((await bound((gateway) => gateway.send(message("Your code is 123456"))))._tag).toBe("Accepted")
  })
})
