/**
 * How much of a request's body a host reads.
 */
import { isWebhookPath } from "@watchword/channel/Channel"
import { MAX_BODY_BYTES } from "./Host.ts"

// Messaging platforms put many events into one notification: WhatsApp up to 3 MB.
const MAX_NOTIFICATION_BYTES = 3 * 1024 * 1024

/**
 * The largest body that a request to a path may have, in bytes.
 *
 * @param path relative to where the handler is mounted, with its query
 * @param maxBodyBytes of the endpoints of the interface
 */
export const bodyLimit = (path: string, maxBodyBytes: number = MAX_BODY_BYTES): number =>
  isWebhookPath(path) ? Math.max(maxBodyBytes, MAX_NOTIFICATION_BYTES) : maxBodyBytes
