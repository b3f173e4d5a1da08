/**
 * How long a text is of use.
 *
 * A code is of none after a while: without a validity period carriers try for days, and a phone that is switched on
 * again shows codes of yesterday.
 */
import type { Message } from "../SmsGateway.ts"

/** Seconds that a text with a code is of use. */
const CODE = 600

export type Lifetime = Pick<Message, "ttl" | "hasCode">

/** Seconds after which a message is not to be sent any more. */
export const lifetime = ({ hasCode, ttl }: Lifetime): number => ttl ?? (hasCode ? CODE : Number.POSITIVE_INFINITY)
