/**
 * Values that the examples of schemas have.
 */
import { DeliveryId } from "../Ids.ts"
import { MessageId } from "./MessageId.ts"
import { E164 } from "../PhoneNumber.ts"

export const example = {
  uuid: DeliveryId.make("01KAJ3T8ZZ5V6Q2W8E4R7T9Y1M"),
  messageId: MessageId.make("0199a1c6-2f00-8000-8000-000000000000"),
  to: E164.make("+4915123456789"),
  caller: E164.make("+4930901820123"),
  time: "2026-01-31T12:00:00.000Z"
} as const
