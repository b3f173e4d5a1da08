/**
 * The name under which Watchword makes requests to carriers, platforms, webhooks and hooks. Peers see by it who asks,
 * and in which version.
 *
 * Source: RFC 9110 §10.1.5.
 */

/** The version of the packages, which are released together. `scripts/version.ts` writes it. */
const VERSION = "0.1.0"

export const USER_AGENT = `Watchword/${VERSION}`
