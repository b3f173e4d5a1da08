/**
 * A request as the Telegram Gateway describes it, in answers and callbacks alike. Fields that are missing, null or of
 * an unknown kind are ignored.
 *
 * Source: the Telegram Gateway API, "RequestStatus", "DeliveryStatus", "VerificationStatus".
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DeliveryState, RequestStatus, Since, VerificationState } from "../../ChatgwGateway.ts"

// A field that cannot be read must not take the others with it: one of them may say that money came back.
const maybe = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeedSome(null))))

const SinceWire = Schema.Struct({ status: Schema.String, updated_at: maybe(Schema.Finite) })

const Wire = Schema.Struct({
  request_id: Schema.NonEmptyString,
  is_refunded: maybe(Schema.Boolean),
  delivery_status: maybe(SinceWire),
  verification_status: maybe(SinceWire),
  payload: maybe(Schema.String)
})

const decodeDelivery = Schema.decodeUnknownOption(DeliveryId)

const decodeWire = Schema.decodeUnknownOption(Wire)

/** @param now Unix seconds, for a state that does not say since when it is */
export const decode = (value: unknown, now: number): Option.Option<RequestStatus> =>
  Option.map(decodeWire(value), (wire) => ({
    requestId: wire.request_id,
    // The payload that the send has attached to its request.
    of: Option.getOrNull(decodeDelivery(wire.payload)),
    delivery: since(wire.delivery_status, deliveryStates, now),
    verification: since(wire.verification_status, verificationStates, now),
    isRefunded: wire.is_refunded ?? false
  }))

/** The unknown words of a request, each with its kind; null if all are known. */
export const strange = (value: unknown): readonly [kind: string, word: string] | null =>
  Option.match(decodeWire(value), {
    onNone: () => ["status", "no request"],
    onSome: ({ delivery_status: delivery, verification_status: verification }) =>
      strangeIn("delivery_status", delivery, deliveryStates) ??
      strangeIn("verification_status", verification, verificationStates)
  })

const strangeIn = (
  kind: string,
  wire: typeof SinceWire.Type | null | undefined,
  states: ReadonlyArray<string>
): readonly [string, string] | null =>
  wire === null || wire === undefined || states.includes(wire.status) ? null : [kind, wire.status]

const deliveryStates: ReadonlyArray<DeliveryState> = ["sent", "delivered", "read", "expired", "revoked"]

const verificationStates: ReadonlyArray<VerificationState> = [
  "code_valid",
  "code_invalid",
  "code_max_attempts_exceeded",
  "expired"
]

const since = <State extends string>(
  wire: typeof SinceWire.Type | null | undefined,
  states: ReadonlyArray<State>,
  now: number
): Since<State> | null => {
  const status = states.find((state) => state === wire?.status)
  if (status === undefined) return null
  const updatedAt = Math.floor(wire?.updated_at ?? now)
  return { status, updatedAt: Number.isSafeInteger(updatedAt) ? updatedAt : now }
}
