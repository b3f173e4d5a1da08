/**
 * Fields that bodies, answers and records of several channels have.
 *
 * @example
 * ```ts
 * import { field } from "@watchword/schemas/Field"
 * import * as SharedFields from "@watchword/schemas/SharedFields"
 * import * as Schema from "effect/Schema"
 *
 * const { price, sentTo: to, uuid } = SharedFields
 * const Record = Schema.Struct({ uuid, to, price, pages: field(Schema.Int, "How many pages were sent.") })
 * ```
 */
import * as Schema from "effect/Schema"
import { field, impersonal, optional, personal, time } from "./Field.ts"
import { DeliveryId } from "./Ids.ts"
import { E164 } from "./PhoneNumber.ts"

export { ClientFacts, clientFacts } from "./internal/ClientFacts.ts"
export { guardReasons } from "./internal/GuardReasons.ts"
export { readNumber, readTyped } from "./internal/TypedNumbers.ts"

/** Of requests: the number that something is sent to. */
export const to = personal(field(E164, "The number of the recipient, in E.164 with the plus sign."))

/** Of answers and records. The number is `erased` where an operator has erased its person. */
export const sentTo = field(Schema.String, "The number of the recipient, in E.164.")

/** Of answers and records. */
export const uuid = field(DeliveryId, "The id of the delivery record.")

/** Of the bodies that report an outcome. */
export const reported = (what: string) => impersonal(field(Schema.String, `The \`uuid\` of the ${what}.`))

export const createdAt = time("When it was made.")

export const price = field(Schema.Finite, "The price in EUR.")

export const isRefunded = field(Schema.Boolean, "Whether the price was paid back.")

export const remainingBalance = field(Schema.Finite, "The available balance afterwards, in EUR.")

/** The text of a record, where the account keeps texts. */
export const keptText = optional(Schema.String, "The text of the message; only where the account keeps texts.")

/** The first field of answers to reports. */
export const ok = field(Schema.Literal("OK"), "Always `OK`.")
