/**
 * Ids of requests: the ULID of a verification, written as the UUID of the same 128 bits. Nothing is stored.
 */
import { ulidToUUID, uuidToULID } from "ulid"

const PREFIX = "vrf_"

/** The `request_id` of a verification, in lower case as Vonage writes it. */
export const toRequestId = (verification: string): string => ulidToUUID(verification.slice(PREFIX.length)).toLowerCase()

/** The id of the verification that a `request_id` names; null if the text is not a UUID. */
export const toVerificationId = (requestId: string): string | null =>
  UUID.test(requestId) ? PREFIX + uuidToULID(requestId.toUpperCase()) : null

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
