import * as wire from "@watchword/sandbox/smsc"
import type { ReceiptPdu } from "./Receipts.ts"

/** The frame of a receipt of the table. */
export const receiptFrame = (pdu: ReceiptPdu): Buffer => {
  const { command = "deliver_sm" } = pdu
  const fields = receiptFields(pdu)
  return wire.pdu(wire.command[command], 0, 1, command === "data_sm" ? wire.dataSm(fields) : wire.deliverSm(fields))
}

/** The fields of its body. */
export const receiptFields = ({
  alphabet,
  header = "",
  parameters = {},
  rest = "",
  text = "",
  ...pdu
}: ReceiptPdu): wire.DeliverFields => {
  const { command: _, ...fields } = pdu
  const tlvs = Object.entries(parameters).map(([tag, value]) =>
    wire.tlv(Number.parseInt(tag, 16), Buffer.from(value, "hex"))
  )
  return {
    ...fields,
    text: Buffer.concat([Buffer.from(header, "hex"), octetsOf(text, alphabet)]),
    parameters: [...tlvs, Buffer.from(rest, "hex")]
  }
}

const octetsOf = (text: string, alphabet: ReceiptPdu["alphabet"]): Buffer => {
  if (alphabet === undefined) return Buffer.from(text, "latin1")
  const octets = Buffer.from(text, "utf16le")
  return alphabet === "utf-16be" ? octets.swap16() : octets
}
