/**
 * A request as the Telegram Gateway describes it, in answers and callbacks alike. What is missing, null or
 * of a kind that is not known counts as not said.
 *
 * Source: the Telegram Gateway API, "RequestStatus", "DeliveryStatus", "VerificationStatus".
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DeliveryState, RequestStatus, Since, VerificationState } from "../ChatGateway.ts"

const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Wire = Schema.Struct({
  request_id: Schema.NonEmptyString,
  is_refunded: maybe(Schema.Boolean),
  delivery_status: maybe(Schema.Struct({ status: Schema.String, updated_at: maybe(Schema.Finite) })),
  verification_status: maybe(Schema.Struct({ status: Schema.String, updated_at: maybe(Schema.Finite) })),
  payload: maybe(Schema.String)
})

const decodeDelivery = Schema.decodeUnknownOption(DeliveryId)

const decodeWire = Schema.decodeUnknownOption(Wire)

/** @param now Unix seconds, for a state that does not say since when it is */
export const decode = (value: unknown, now: number): Option.Option<RequestStatus> =>
  Option.map(decodeWire(value), (wire) => ({
    requestId: wire.request_id,
    // What the send has attached to its request.
    of: Option.getOrNull(decodeDelivery(wire.payload)),
    delivery: since(wire.delivery_status, deliveryStates, now),
    verification: since(wire.verification_status, verificationStates, now),
    isRefunded: wire.is_refunded ?? false
  }))

const deliveryStates: ReadonlyArray<DeliveryState> = ["sent", "delivered", "read", "expired", "revoked"]

const verificationStates: ReadonlyArray<VerificationState> = [
  "code_valid",
  "code_invalid",
  "code_max_attempts_exceeded",
  "expired"
]

const since = <State extends string>(
  wire: { readonly status: string; readonly updated_at?: number | null } | null | undefined,
  states: ReadonlyArray<State>,
  now: number
): Since<State> | null => {
  const status = states.find((state) => state === wire?.status)
  return status === undefined ? null : { status, updatedAt: wire?.updated_at ?? now }
}
