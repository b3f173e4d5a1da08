/**
 * The receipts that most carriers send.
 *
 * Source: SMPP 3.4 Appendix B, §5.2.12, §5.3.2.12 and §5.3.2.35.
 */
import * as wire from "../../smsc/wire.ts"
import type { Receipt, Submit } from "./Script.ts"
import type { Fate } from "./Submit.ts"
import type { Part } from "./Texts.ts"

/** A receipt with only its text, as most carriers send it, some milliseconds after the answer. */
export const receipt = (submit: Pick<Submit, "id" | "to" | "reference">, stat = "DELIVRD", after = 0): Receipt => ({
  after,
  fields: {
    source: submit.to,
    text: `id:${submit.id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:${stat} err:000 text:`,
    parameters: submit.reference === null ? [] : [wire.tlv(wire.USER_MESSAGE_REFERENCE, uint16(submit.reference))]
  }
})

const uint16 = (value: number): Buffer => wire.octets(value >> 8, value & 0xff)

/** A receipt by its text and its parameters. */
export const ofPart = ({ from, id, text, to }: Part, fate: Fate): wire.DeliverFields => {
  const [state, stat, delivered, error] =
    fate === "delivered" ? ([2, "DELIVRD", "001", "000"] as const) : ([5, "UNDELIV", "000", "001"] as const)
  const at = stamp(new Date())
  const shown = PLAIN.test(text) ? text.slice(0, 20) : ""
  return {
    source: to.replace(/^\+/, ""),
    destination: from,
    text:
      `id:${id} sub:001 dlvrd:${delivered} submit date:${at} done date:${at} ` +
      `stat:${stat} err:${error} text:${shown}`,
    parameters: [wire.tlv(wire.RECEIPTED_MESSAGE_ID, `${id}\0`), wire.tlv(wire.MESSAGE_STATE, wire.octets(state))]
  }
}

/** Characters that have one octet in Latin-1. */
const PLAIN = /^[ -~\u00a0-\u00ff]*$/

/** `YYMMDDhhmm`. */
const stamp = (at: Date): string => at.toISOString().replace(/\D/g, "").slice(2, 12)
