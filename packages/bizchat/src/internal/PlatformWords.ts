/**
 * The platform's report on a text, in plain words.
 */
import { textOf } from "@watchword/send/channel/ChannelRecords"
import type { Delivery } from "@watchword/store/Delivery"
import { errorCode } from "./whatsapp/ErrorCodes.ts"

export const said = (delivery: Delivery): string | null => {
  if (delivery.details["held"] === true) return "held back until the quality of the template is assessed"
  const code = textOf(delivery, "error_code")
  if (code === null) return null
  const meaning = errorCode(Number(code))
  return meaning === undefined ? `error ${code}` : `error ${code} (${meaning.words})`
}
