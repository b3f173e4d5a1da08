import type { CodeMessage } from "@watchword/chatgw/ChatgwGateway"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Redacted from "effect/Redacted"

/** A code for the number that ends in `digits`. */
export const messageTo = (digits: string, changes: Partial<CodeMessage> = {}): CodeMessage => ({
  delivery: nextDeliveryId(Date.now()),
  to: E164.make(`+491512345${digits}`),
  code: Redacted.make("123456"),
  ttl: 300,
  senderUsername: null,
  callbackUrl: null,
  requestId: null,
  ...changes
})
