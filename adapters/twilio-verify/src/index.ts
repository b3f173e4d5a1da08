/**
 * Twilio Verify v2 in front of a service: an app keeps Twilio's SDK, and changes its base URL and its credentials.
 */
import type { HandlePromise } from "@watchword/server/Host"
import type { Service } from "./internal/Calls.ts"
import * as Door from "./internal/Door.ts"
import { accountSid, serviceSid } from "./internal/Sids.ts"

export type { Service } from "./internal/Calls.ts"
export type { Options } from "./internal/Door.ts"

/** The door, which an adapter of a host mounts like a service. */
export interface TwilioVerify {
  readonly handle: HandlePromise
}

/**
 * Makes the door. An adapter mounts it as it mounts a service, by default at `/twilio`.
 *
 * Its calls are Twilio's: verifications, checks, services and attempts. Users are `AC…` and an API key; `twilioSids`
 * returns the ids of an account. Errors have Twilio's codes and statuses.
 *
 * @example
 * ```ts no_run
 * import { twilioVerify } from "@watchword/twilio-verify"
 * import { watchword } from "@watchword/node"
 * import { createServer } from "node:http"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * createServer(watchword(twilioVerify(service), { basePath: "/twilio" })).listen(8080)
 * // The app: client.verify.baseUrl = "http://127.0.0.1:8080/twilio"
 * ```
 */
export const twilioVerify = (service: Service, options: Door.Options = {}): TwilioVerify => ({
  handle: Door.make(service, options)
})

/** The ids of an account, for the SDK. */
export interface Sids {
  /** `AC…`, the user name. Its password is an API key. */
  readonly account: string
  /** `VA…` of the default workflow. */
  readonly service: string
}

/**
 * The ids of an account in Twilio's form, or of one of its workflows.
 *
 * @param account the account's id, `acc_…`
 * @param workflow the name of a workflow; the account's default unless given
 *
 * @example
 * ```ts
 * import { twilioSids } from "@watchword/twilio-verify"
 *
 * console.log(twilioSids("acc_01KAJ3T8ZZ0000000000000000").account) // AC01…
 * ```
 */
export const twilioSids = (account: string, workflow: string | null = null): Sids => ({
  account: accountSid(account),
  service: serviceSid(account, workflow)
})
