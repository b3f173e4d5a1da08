/**
 * What the platform said of a text, in plain words.
 *
 * Source: the WhatsApp Cloud API, "Error codes".
 */
import { textOf } from "@watchword/send/internal/channel/details"
import type { Delivery } from "@watchword/store/Delivery"

const WHATSAPP: ReadonlyMap<string, string> = new Map([
  ["131026", "the number is not on WhatsApp, or cannot take such messages"],
  ["131047", "plain text outside the 24-hour window"],
  ["131048", "limited for spam"],
  ["131049", "withheld by WhatsApp"],
  ["131056", "too many messages to this number"],
  ["132001", "the template does not exist in this language"]
])

export const said = (delivery: Delivery): string | null => {
  const code = textOf(delivery, "error_code")
  if (code === null) return null
  const meaning = WHATSAPP.get(code)
  return meaning === undefined ? `error ${code}` : `error ${code} (${meaning})`
}
