/**
 * A rehearsal with a message centre of another project, the server of the package `smpp`, which reads and writes PDUs
 * by its own code.
 */
import { once } from "node:events"
import type { Server } from "node:net"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Heard } from "@watchword/send/rehearsal"
import { reader } from "../../../src/internal/smpp/rehearsal/Dialect.ts"
import * as Effect from "effect/Effect"
import smpp, { PDU, type Session } from "smpp"
import { expect } from "vitest"
import { test } from "../../../../../test/live.ts"
import { startBound } from "../fixture.ts"
import { stamp } from "./dialects.ts"

const to = E164.make("+4915123456789")

/** Numbers messages in decimal, and writes the same number in hexadecimal into its receipts. */
const serve = (session: Session, texts: Array<string>): void => {
  let next = 4_000_000_000
  session.on("error", () => {})
  session.on("bind_transceiver", (pdu: PDU) => void session.send(pdu.response({ system_id: "peer" })))
  session.on("enquire_link", (pdu: PDU) => void session.send(pdu.response()))
  session.on("unbind", (pdu: PDU) => void session.send(pdu.response()))
  session.on("submit_sm", (pdu: PDU) => {
    const id = next++
    const { message } = Object(pdu["short_message"])
    texts.push(String(message))
    session.send(pdu.response({ message_id: String(id) }))
    const text = `id:${id.toString(16)} sub:001 dlvrd:001 submit date:${stamp("minutes")} done date:${stamp("minutes")} stat:DELIVRD err:000 text:`
    const receipt = new PDU("deliver_sm", {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: String(pdu["destination_addr"]),
      destination_addr: String(pdu["source_addr"]),
      esm_class: 4,
      short_message: text
    })
    setImmediate(() => void session.send(receipt))
  })
}

test("a rehearsal with the server of the package smpp finds its dialect", () =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    const sessions: Array<Session> = []
    const server: Server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const started = smpp.createServer((session) => {
          sessions.push(session)
          serve(session, texts)
        })
        started.listen(0, "127.0.0.1")
        await once(started, "listening")
        return started
      }),
      (started) =>
        Effect.sync(() => {
          for (const session of sessions) session.destroy()
          started.close()
        })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const gateway = yield* startBound(`smpp://client:secret@127.0.0.1:${port}?carrier=acme`)
    const heard: Array<Heard> = []
    const trial = { carrier: "acme", to, from: "Watchword", wait: 2_000 }
    yield* gateway.rehearsal?.run(trial, (each) => void heard.push(each)) ?? Effect.void
    expect(texts).toHaveLength(4)
    expect(texts[0]).toBe('Watchword 1 of 3: "@ _ $ £ é"')
    expect(texts[1]).toBe('Watchword 2 of 3: "Ж € 漢"')
    const found = new Map(reader.dialectOf(heard, new Map()).findings.map((each) => [each.about, each.found]))
    expect(found.get("ids")).toMatch(
      /^decimal of 10 characters in answers .*; lowercase hexadecimal of 8 characters in receipts .*, hexadecimal for decimal, which is understood$/
    )
    expect(found.get("receipts")).toBe("one for each part")
    expect(found.get("clocks")).toMatch(/by UTC$/)
  }))
