/**
 * Fields that bodies, answers and records of several channels have, and the values of their examples.
 */
import * as Schema from "effect/Schema"
import { DeliveryId } from "../Ids.ts"
import { MessageId } from "../MessageId.ts"
import { E164 } from "../PhoneNumber.ts"
import { field, optional, personal, time } from "./field.ts"

/** Of requests: the number that something is sent to. */
export const to = field(E164, "The number of the recipient, in E.164 with the plus sign.", personal())

/** Of answers and records. The number is `erased` where an operator has erased its person. */
export const sentTo = field(Schema.String, "The number of the recipient, in E.164.")

/** Of answers and records. */
export const uuid = field(DeliveryId, "The id of the delivery record.")

/** Of the bodies that report an outcome. */
export const reported = (what: string) => field(Schema.String, `The \`uuid\` of the ${what}.`)

export const createdAt = time("When it was made.")

export const price = field(Schema.Finite, "The price in EUR.")

export const isRefunded = field(Schema.Boolean, "Whether the price was paid back.")

export const remainingBalance = field(Schema.Finite, "The available balance afterwards, in EUR.")

/** The text of a record, where the account keeps texts. */
export const keptText = optional(Schema.String, "The text of the message; only where the account keeps texts.")

/** The first field of answers to reports. */
export const ok = field(Schema.Literal("OK"), "Always `OK`.")

/** Values of examples. */
export const example = {
  uuid: DeliveryId.make("01KAJ3T8ZZ5V6Q2W8E4R7T9Y1M"),
  messageId: MessageId.make("0199a1c6-2f00-8000-8000-000000000000"),
  to: E164.make("+4915123456789"),
  caller: E164.make("+4930901820123"),
  time: "2026-01-31T12:00:00.000Z"
} as const
