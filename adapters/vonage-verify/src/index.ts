/**
 * Vonage Verify v2 in front of a running service, for apps that call it by Vonage's SDKs.
 */
import type { HandlePromise } from "@watchword/server/Host"
import { type Watchword, doorOf } from "watchword"
import * as Handler from "./internal/Handler.ts"

/** How the service answers Vonage's calls. */
export interface Options {
  /**
   * How a step of the channel `voice` is sent: `flash` sends a flash call, and the last digits of its caller are the
   * code. Not for an app that announces a voice to its users. Without it such a step is refused.
   */
  readonly call?: "flash" | undefined
}

/** Vonage Verify v2, which an adapter mounts as it mounts a service. */
export interface VonageVerify {
  /** Answers a request from any host. */
  readonly handle: HandlePromise
}

/**
 * Answers Vonage Verify v2 by the verifications of a running service. An app keeps its code, and changes the host and
 * the credentials of its SDK: the account's id and an API key, or the keys of an application.
 *
 * Errors are problem documents (RFC 9457) of Vonage's types. Throws a `TypeError` for anything other than a service.
 *
 * Source: https://developer.vonage.com/en/api/verify.v2
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/node"
 * import { vonageVerify } from "@watchword/vonage-verify"
 * import { createServer } from "node:http"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * createServer(watchword(vonageVerify(service), { basePath: "/vonage" })).listen(8080)
 * // new Vonage(credentials, { apiHost: "http://127.0.0.1:8080/vonage" })
 * ```
 */
export const vonageVerify = (service: Watchword, options: Options = {}): VonageVerify => ({
  handle: Handler.make(doorOf(service, "vonage"), service.verify, options.call === "flash")
})
