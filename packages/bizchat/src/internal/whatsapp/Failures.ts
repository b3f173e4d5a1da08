/**
 * Failures that clients get where WhatsApp does not take a message.
 */
import { type DeliveryFailure, NotFound, ServiceUnavailable, TemporaryUnavailable } from "@watchword/schemas/Errors"
import { type ErrorCode, MAINTENANCE, NOT_ON_PLATFORM, type Whose } from "./ErrorCodes.ts"

const outOfOrder = () =>
  new ServiceUnavailable({ message: "The messaging platform does not accept this service's requests." })

const busy = () => new TemporaryUnavailable({ message: "The messaging platform is rate-limiting us; try again later." })

const undeliverable = () => new NotFound({ message: "The messaging platform does not deliver to this number." })

export const unreachable = () =>
  new TemporaryUnavailable({ message: "The messaging platform cannot be reached for the moment." })

export const uncertain = () =>
  new TemporaryUnavailable({
    message: "The messaging platform did not answer; it is unknown whether it sends the message."
  })

/** The platform has the message, and sends or drops it later. */
export const held = () =>
  new TemporaryUnavailable({
    message: "The messaging platform is holding the message; it is unknown whether it will send it."
  })

const byWhose: { readonly [W in Whose]: () => DeliveryFailure } = {
  passing: busy,
  recipient: undeliverable,
  operator: outOfOrder
}

/** Failures of codes that say more than whose they are. */
const byCode: ReadonlyMap<number, () => DeliveryFailure> = new Map<number, () => DeliveryFailure>([
  [NOT_ON_PLATFORM, () => new NotFound({ message: "The number is not on the messaging platform." })],
  [MAINTENANCE, () => new ServiceUnavailable({ message: "The messaging platform is under maintenance." })]
])

/** The failure of a refusal. */
export const failureOf = ({
  code,
  whose
}: Pick<ErrorCode, "whose"> & { readonly code: number | null }): DeliveryFailure =>
  ((code === null ? undefined : byCode.get(code)) ?? byWhose[whose])()
