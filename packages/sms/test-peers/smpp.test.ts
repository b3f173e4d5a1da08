/**
 * The SMPP gateway against the message centre of another project, with Wireshark looking on.
 */
import { realTime } from "../../../test/until.ts"
import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import { encode } from "@watchword/sms/EncodedText"
import { type SmsEvent, SmsGateway } from "@watchword/sms/SmsGateway"
import { smpp } from "@watchword/sms/smpp"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Capture, type Smsc, startCapture, startSmsc } from "./programs.ts"

const ARRIVES = E164.make("+4915123456781")
const DOES_NOT_ARRIVE = E164.make("+4915123456782")

const RESPONSE = 0x8000_0000
const SUBMIT_SM = 0x04
const DELIVER_SM = 0x05
const UNBIND = 0x06
const BIND_TRANSCEIVER = 0x09
const ENQUIRE_LINK = 0x15

const message = (said: string, reference: number, to: E164 = ARRIVES, from = "Watchword") => ({
  delivery: DeliveryId.make("01KAJ3T8ZZ0000000000000000"),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  to,
  from: Sender.make(from),
  said,
  text: encode(said),
  reference,
  ttl: null,
  hasCode: true,
  tlvs: []
})

const CYRILLIC = "Код 😀 ".repeat(30)

const messages = [
  message("Your code is 123456", 0x0101),
  message("[€{}|^~\\] ".repeat(20), 0x0202),
  message(CYRILLIC, 0x0303, ARRIVES, "+4915100000000"),
  message("Your code is 654321", 0x0404, DOES_NOT_ARRIVE, "12345")
]

describe("the SMPP gateway and Net::SMPP", () => {
  let smsc: Smsc
  let capture: Capture
  let folder: string
  let outcomes: ReadonlyArray<{ readonly _tag: string; readonly refs?: ReadonlyArray<string> }>
  const events: Array<SmsEvent> = []

  const of = (event: string) => smsc.printed.filter((line) => line["event"] === event)

  beforeAll(async () => {
    smsc = await startSmsc()
    folder = await mkdtemp(join(tmpdir(), "watchword-"))
    capture = await startCapture(smsc.port, join(folder, "smpp.pcapng"))
    outcomes = await Effect.gen(function* () {
      const gateway = yield* SmsGateway
      yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
      const answers = yield* Effect.forEach(messages, gateway.send)
      yield* Effect.promise(() => realTime(1_200, "an enquire_link"))
      const parts = messages.reduce((sum, { text }) => sum + text.parts.length, 0)
      yield* Effect.promise(() => smsc.until(() => of("acknowledged").length === parts))
      return answers
    }).pipe(
      Effect.provide([smpp({ url: `smpp://client:secret@127.0.0.1:${smsc.port}?enquire=1` }), Logger.layer([])]),
      Effect.scoped,
      Effect.runPromise
    )
    await smsc.until(() => of("unbind").length === 1)
    await capture.stop()
  })

  afterAll(async () => {
    await capture[Symbol.asyncDispose]()
    await smsc.stop()
    await rm(folder, { recursive: true })
  })

  it("bind with version 3.4 and unbind", () => {
    expect(of("bind")).toEqual([{ event: "bind", system_id: "client", status: 0, interface_version: 0x34 }])
    expect(of("unbind")).toHaveLength(1)
  })

  it("agree on addresses, classes and references", () => {
    const submits = of("submit")
    const whole = { esm_class: 0, registered_delivery: 1, dest_addr_ton: 1, dest_addr_npi: 1 }
    expect(submits[0]).toMatchObject({
      ...whole,
      source_addr: "Watchword",
      source_addr_ton: 5,
      source_addr_npi: 0,
      destination_addr: "4915123456781",
      data_coding: 0,
      user_message_reference: 0x0101,
      short_message: Buffer.from("Your code is 123456").toString("hex")
    })
    expect(submits.at(-1)).toMatchObject({
      ...whole,
      source_addr: "12345",
      source_addr_ton: 3,
      source_addr_npi: 0,
      destination_addr: "4915123456782",
      data_coding: 0,
      user_message_reference: 0x0404
    })
    const inParts = (reference: number) => submits.filter((line) => line["user_message_reference"] === reference)
    expect(inParts(0x0202).map((line) => [line["esm_class"], line["data_coding"]])).toEqual([
      [64, 0],
      [64, 0],
      [64, 0]
    ])
    expect(inParts(0x0303).map((line) => [line["esm_class"], line["data_coding"]])).toEqual([
      [64, 8],
      [64, 8],
      [64, 8],
      [64, 8]
    ])
    expect(
      inParts(0x0303).every((line) => line["source_addr_ton"] === 1 && line["source_addr"] === "4915100000000")
    ).toBe(true)
  })

  it("agree on the ids, whose zeros and capitals do not matter", () => {
    const ids = of("submit").map(({ id }) => String(id).toLowerCase().replace(/^0+/, ""))
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Accepted", "Accepted", "Accepted", "Accepted"])
    expect(outcomes.flatMap(({ refs }) => refs ?? [])).toEqual(ids)
  })

  it("agree on the receipts, all of which are acknowledged", () => {
    const accepted = outcomes.map(({ refs }) => refs ?? [])
    for (const [index, { to, reference }] of messages.entries()) {
      const delivered = to === ARRIVES
      for (const ref of accepted[index] ?? []) {
        expect(events).toContainEqual(
          expect.objectContaining({
            _tag: "Receipt",
            refs: [ref],
            to,
            reference,
            status: delivered ? "delivered" : "undelivered",
            carrierStatus: delivered ? "DELIVRD" : "UNDELIV",
            carrierError: delivered ? "000" : "027"
          })
        )
      }
    }
    expect(events).toHaveLength(accepted.flat().length)
    expect(of("acknowledged").every(({ status }) => status === 0)).toBe(true)
  })

  it("exchange nothing that Wireshark finds fault with", async () => {
    expect(
      await capture.read("_ws.malformed || _ws.expert.severity==error", "frame.number", "_ws.expert.message")
    ).toEqual([])
  })

  it("exchange as many requests as answers", async () => {
    const commands = (await capture.read("smpp", "smpp.command_id")).flatMap(([ids = ""]) => ids.split(",").map(Number))
    const count = (id: number) => commands.filter((command) => command === id).length
    expect(count(SUBMIT_SM)).toBe(9)
    expect(count(DELIVER_SM)).toBe(9)
    expect(count(ENQUIRE_LINK)).toBeGreaterThan(0)
    for (const id of [BIND_TRANSCEIVER, SUBMIT_SM, DELIVER_SM, ENQUIRE_LINK, UNBIND]) {
      expect(count(id)).toBeGreaterThan(0)
      expect(count(id + RESPONSE)).toBe(count(id))
    }
  })

  it("exchange what Wireshark puts together to the texts that were sent", async () => {
    const rows = await capture.read(
      `smpp.command_id == ${SUBMIT_SM}`,
      "smpp.source_addr",
      "smpp.message_text",
      "smpp.message",
      "gsm_sms_ud.reassembled.length"
    )
    const column = (index: number) => rows.flatMap((row) => row[index]?.split(",") ?? [])
    const gsm7 = messages.filter(({ text }) => text.encoding === "gsm7")
    expect(
      column(1)
        .filter((text) => !/[а-я]/i.test(text))
        .join("")
    ).toBe(gsm7.map(({ said }) => said).join(""))

    // It knows UCS-2 only, and shows halves of surrogate pairs; so the octets have to do.
    const headers = /^050003../
    const ucs2 = column(2).filter((octets) => octets.startsWith("05000303"))
    const octets = ucs2.map((part) => part.replace(headers, "").slice(4)).join("")
    expect(new TextDecoder("utf-16be").decode(Buffer.from(octets, "hex"))).toBe(CYRILLIC)
    expect(column(3).filter((length) => length !== "")).toEqual([String(20 * 19), String(CYRILLIC.length * 2)])
  })
})
