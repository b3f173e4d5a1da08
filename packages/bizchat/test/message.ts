import type { TextMessage } from "@watchword/bizchat/BizchatGateway"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Redacted from "effect/Redacted"

/** A text for the number that ends in `digits`. */
export const messageTo = (digits: string, changes: Partial<TextMessage> = {}): TextMessage => ({
  delivery: nextDeliveryId(Date.now()),
  to: E164.make(`+491512345${digits}`),
  text: Redacted.make("Your code is 123456, valid for 10 minutes."),
  code: null,
  locale: null,
  ...changes
})
