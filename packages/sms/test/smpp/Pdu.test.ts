import { encode } from "@watchword/sms/EncodedText"
import { link } from "@watchword/sms/smpp"
import { bindOf } from "../../src/internal/smpp/Bind.ts"
import * as Pdu from "../../src/internal/smpp/Pdu.ts"
import { submitSm } from "../../src/internal/smpp/SubmitSm.ts"
import * as FastCheck from "fast-check"
import * as Redacted from "effect/Redacted"
import { PDU } from "smpp"
import { describe, expect, it } from "vitest"

/** The same fields encoded by the npm package's codec. */
const encoded = (command: string, sequence: number, fields: Readonly<Record<string, unknown>> = {}): string =>
  new PDU(command, { ...fields, sequence_number: sequence }).toBuffer().toString("hex")

const octet = FastCheck.nat(0xff)
const sequences = FastCheck.integer({ min: 1, max: 0x7fff_ffff })
const latin1 = (maxLength: number) =>
  FastCheck.array(FastCheck.integer({ min: 1, max: 0xff }), { maxLength }).map((codes) => String.fromCharCode(...codes))

describe("a PDU has the same bytes as from another codec:", () => {
  it("bind", () => {
    const types = FastCheck.constantFrom("receiver", "transmitter", "transceiver")
    FastCheck.assert(
      FastCheck.property(
        types,
        sequences,
        FastCheck.tuple(latin1(15), latin1(8), latin1(12), latin1(40)),
        FastCheck.tuple(octet, octet),
        (bind, sequence, [systemId, password, systemType, pattern], [ton, npi]) => {
          const options = {
            ...link({ host: "h", systemId, password: Redacted.make(password), systemType, bind }),
            addressRange: { ton, npi, pattern }
          }
          expect(bindOf(options, sequence).toString("hex")).toBe(
            encoded(`bind_${bind}`, sequence, {
              system_id: systemId,
              password,
              system_type: systemType,
              interface_version: 0x34,
              addr_ton: ton,
              addr_npi: npi,
              address_range: pattern
            })
          )
        }
      )
    )
  })

  it("submit_sm, in parts and alone", () => {
    FastCheck.assert(
      FastCheck.property(
        sequences,
        FastCheck.nat(0xffff),
        FastCheck.string({ unit: "grapheme", maxLength: 400 }),
        latin1(5),
        FastCheck.boolean(),
        (sequence, reference, text, serviceType, withReference) => {
          const content = { to: "+4915123456789", from: "Watchword", text: encode(text), reference, tlvs: [] }
          const options = { ...link({ host: "h", systemId: "s", password: Redacted.make("p") }), serviceType }
          const { encoding, parts } = content.text
          for (const [index, octets] of parts.entries()) {
            const header = [0x05, 0x00, 0x03, reference & 0xff, parts.length, index + 1]
            expect(
              submitSm(content, index, options, { withReference, validityPeriod: "" })(sequence).toString("hex")
            ).toBe(
              encoded("submit_sm", sequence, {
                service_type: serviceType,
                source_addr_ton: 5,
                source_addr_npi: 0,
                source_addr: "Watchword",
                dest_addr_ton: 1,
                dest_addr_npi: 1,
                destination_addr: "4915123456789",
                esm_class: parts.length > 1 ? 0x40 : 0,
                registered_delivery: 1,
                data_coding: encoding === "gsm7" ? 0 : 8,
                short_message: Buffer.from([...(parts.length > 1 ? header : []), ...octets]),
                ...(withReference ? { user_message_reference: reference } : {})
              })
            )
          }
        }
      )
    )
  })

  it.each(["deliver_sm_resp", "data_sm_resp", "enquire_link_resp", "unbind_resp", "generic_nack"] as const)(
    "%s",
    (response) => {
      const statuses = FastCheck.oneof(FastCheck.constant(0), FastCheck.nat(0xffff))
      FastCheck.assert(
        FastCheck.property(sequences, statuses, (sequence, status) => {
          expect(Pdu.respond(response, sequence, status).toString("hex")).toBe(
            encoded(response, sequence, { command_status: status })
          )
        })
      )
    }
  )

  it("enquire_link and unbind", () => {
    expect(Pdu.encode("enquire_link", 7).toString("hex")).toBe(encoded("enquire_link", 7))
    expect(Pdu.encode("unbind", 7).toString("hex")).toBe(encoded("unbind", 7))
  })
})

it("a list of recipients is not decoded, and nothing behind it", () => {
  const frame = Pdu.encode("submit_sm", 1, { service_type: "WAP", source_addr: "Acme" })
  const SUBMIT_MULTI = 0x21
  frame.writeUInt32BE(SUBMIT_MULTI, 4)
  expect(Pdu.decode(frame)).toMatchObject({
    fields: { service_type: "WAP", source_addr_ton: 0, source_addr_npi: 0, source_addr: "Acme" },
    isCutOff: true
  })
})
