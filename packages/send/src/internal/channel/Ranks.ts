/**
 * Ranks of message statuses: a record's status only ever moves to a higher one.
 */
/** On its way to the gateway. */
export const PENDING = 0
/** The gateway has taken it. */
export const ACCEPTED = 1
/** Delivered or failed, whichever is reported first. */
export const ARRIVED = 2
/** Read, expired or revoked: final also for a message that was delivered. */
export const OVER = 3
