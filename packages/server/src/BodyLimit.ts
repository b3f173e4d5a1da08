/**
 * How much a host reads of a request.
 */
import { MAX_BODY_BYTES } from "./Host.ts"

/** Where gateways reach a service, behind its base address. */
export const webhookPaths = { chatgw: "/chatgw/events", bizchat: "/bizchat/events" } as const

// Messaging platforms put many events into one notification: WhatsApp up to 3 MB.
const MAX_NOTIFICATION_BYTES = 3 * 1024 * 1024

/**
 * The largest body that a request to a path may have, in bytes.
 *
 * @param path relative to where the handler is mounted, with its query
 * @param maxBodyBytes of the endpoints of the interface
 */
export const bodyLimit = (path: string, maxBodyBytes: number = MAX_BODY_BYTES): number =>
  isWebhook(path) ? Math.max(maxBodyBytes, MAX_NOTIFICATION_BYTES) : maxBodyBytes

const WEBHOOK = new RegExp(`^(?:${Object.values(webhookPaths).join("|")})(?:$|\\?)`)

const isWebhook = (path: string): boolean => WEBHOOK.test(path)
