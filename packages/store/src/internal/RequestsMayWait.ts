/**
 * Whether a request may wait for the store's answer to another request; true by default. Cloudflare Workers do not
 * allow it. Read when a service that shares answers is made.
 */
import * as Context from "effect/Context"

export const RequestsMayWait = Context.Reference<boolean>("@watchword/store/RequestsMayWait", {
  defaultValue: () => true
})
