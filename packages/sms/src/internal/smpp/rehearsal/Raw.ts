/**
 * PDUs as people read them, and the parts of a receipt that live messages have no use for.
 *
 * Source: SMPP 3.4 §4.4.1, §4.6.1 and Appendix B.
 */
import type { Heard } from "@watchword/send/rehearsal"
import { type Address, type DeliverSm, textOf } from "../DeliverSm.ts"
import * as Pdu from "../Pdu.ts"
import { decoded, printable } from "../ReceiptText.ts"

/** Characters of a receipt's text that are shown. */
const LONGEST = 200

export const submitSm = (frame: Buffer): string => {
  const { fields } = Pdu.decode(frame)
  const body = fields["short_message"]
  const octets = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  return [
    "submit_sm",
    `source=${fields["source_addr_ton"]}/${fields["source_addr_npi"]} ${JSON.stringify(fields["source_addr"])}`,
    `destination=${fields["dest_addr_ton"]}/${fields["dest_addr_npi"]} ${JSON.stringify(fields["destination_addr"])}`,
    `esm_class=${hex(Number(fields["esm_class"]))}`,
    `data_coding=${fields["data_coding"]}`,
    `octets=${octets.toString("hex").slice(0, 2 * SHOWN)}${octets.length > SHOWN ? "…" : ""}`
  ].join(" ")
}

/** How many octets of a message are shown: enough for its signs. */
const SHOWN = 30

export const deliverSm = ({ dataCoding, esmClass, octets, parameters, source }: DeliverSm): string =>
  [
    "deliver_sm",
    `esm_class=${hex(esmClass)}`,
    `source=${source.ton} ${JSON.stringify(printable(source.address))}`,
    `data_coding=${dataCoding}`,
    `text=${JSON.stringify(printable(decoded(octets, dataCoding)).slice(0, LONGEST))}`,
    ...PARAMETERS.flatMap(([name, tag]) => {
      const value = parameters.get(tag)
      return value === undefined ? [] : [`${name}=${shown(value)}`]
    })
  ].join(" ")

const PARAMETERS = ["receipted_message_id", "message_state", "network_error_code", "user_message_reference"].map(
  (name) => [name, Pdu.tag(name)] as const
)

const shown = (value: Buffer): string => {
  const text = textOf(value)
  return /^[\x20-\x7e]{2,}$/.test(text) ? JSON.stringify(text) : `0x${value.toString("hex")}`
}

const hex = (octet: number): string => `0x${octet.toString(16).padStart(2, "0")}`

const DATE = (name: string): RegExp =>
  new RegExp(`${name}[ _]?date:\\s*([0-9][0-9 :.T+-]{4,24}?)(?=\\s+[a-z]|\\s*$|[,;])`, "i")
const SUBMITTED = DATE("submit")
const DONE = DATE("done")

/** The dates in a receipt's text, as received. */
export const datesOf = (text: string): Heard["facts"] => ({
  submitted: SUBMITTED.exec(text)?.[1]?.trim() ?? null,
  done: DONE.exec(text)?.[1]?.trim() ?? null
})

/**
 * The words of a text that is not understood: the words before colons, which may be field names in another language.
 */
export const wordsOf = (text: string): Heard["facts"] => ({
  fields: [...text.matchAll(/(?<![^\s,;])([\p{L} _]{1,20}):/gu)]
    .map(([, name = ""]) => name)
    .join(" ")
    .slice(0, 100)
})

/** How a receipt writes the recipient's number. */
export const formOf = ({ address, ton }: Address, number: string): string => {
  if (address === number) return `with its plus sign, TON ${ton}`
  if (address === number.slice(1)) return `with the calling code, TON ${ton}`
  return number.endsWith(address.replace(/^0+/, ""))
    ? `in its national form, TON ${ton}`
    : `in another form, TON ${ton}`
}
