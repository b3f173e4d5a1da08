/**
 * A message centre with another project's client: npm's `smpp`.
 */
import { type Smsc, type Text, smsc as startSmsc } from "@watchword/sandbox/smsc"
import { PDU, Session } from "smpp"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { until } from "../../../../test/until.ts"

describe("a client by npm's smpp", () => {
  let smsc: Smsc
  let client: Session
  const texts: Array<Text> = []
  const delivered: Array<PDU> = []

  const ask = (command: string, fields: Readonly<Record<string, unknown>>) =>
    new Promise<PDU>((resolve) => client.send(new PDU(command, fields), resolve))

  beforeEach(async () => {
    texts.length = 0
    delivered.length = 0
    smsc = await startSmsc({
      script: {
        take: async (text) => {
          texts.push(text)
          return { id: "taken" }
        }
      }
    })
    client = new Session({ host: "127.0.0.1", port: smsc.port })
    client.on("deliver_sm", (pdu: PDU) => {
      delivered.push(pdu)
      client.send(pdu.response())
    })
    await ask("bind_transceiver", { system_id: "id", password: "secret" })
  })
  afterEach(async () => {
    client.destroy()
    await smsc.stop()
  })

  const submit = (fields: Readonly<Record<string, unknown>>) =>
    ask("submit_sm", { source_addr: "Acme", destination_addr: "4915123456789", ...fields })

  it.each(["Your code is 123456", "user_1@shop $5 {~}", "ça va", "für schön", "Ваш код 123456", "😀"])(
    "has its text read as it wrote it: %s",
    async (text) => {
      await submit({ short_message: text })
      expect(texts).toEqual([{ systemId: "id", from: "Acme", to: "+4915123456789", text }])
    }
  )

  // SMPP 3.4 §5.2.17: the two lowest bits ask for a receipt of all, or of failures; 5.0 has 3 for deliveries.
  it.each([
    [0x00, []],
    [0x01, ["delivered", "undelivered"]],
    [0x02, ["undelivered"]],
    [0x03, ["delivered"]],
    [0x10, []],
    [0x11, ["delivered", "undelivered"]],
    [0x12, ["undelivered"]]
  ])("gets the receipts that registered_delivery %i asks for: %s", async (registered, wanted) => {
    for (const fate of ["delivered", "undelivered"] as const) {
      await submit({ short_message: "code", registered_delivery: registered })
      smsc.report("taken", fate)
    }
    // Receipts come in their order, so the last one tells that those before are there.
    await submit({ short_message: "code", registered_delivery: 1 })
    smsc.report("taken", "delivered")
    await until(() => delivered.length > wanted.length)
    expect(delivered.slice(0, -1).map(fateOf)).toEqual(wanted)
    expect(delivered).toHaveLength(wanted.length + 1)
  })

  it("is refused before it binds, and when it binds twice", async () => {
    expect((await ask("bind_transceiver", { system_id: "id" })).command_status).toBe(0x05)
    const stranger = new Session({ host: "127.0.0.1", port: smsc.port })
    const answer = await new Promise<PDU>((resolve) => stranger.send(new PDU("submit_sm"), resolve))
    stranger.destroy()
    expect(answer.command_status).toBe(0x04)
    expect(texts).toEqual([])
  })
})

const fateOf = (receipt: PDU): string => (receipt["message_state"] === 2 ? "delivered" : "undelivered")
