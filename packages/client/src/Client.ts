/**
 * The client: the groups of the interface, each endpoint a method.
 */
import { type BusinessChat, businessChat } from "./BusinessChat.ts"
import { type Calls, calls } from "./Calls.ts"
import { type Chat, chat } from "./Chat.ts"
import * as Request from "./internal/Request.ts"
import type { ClientOptions } from "./Options.ts"
import { type Sandbox, sandbox } from "./Sandbox.ts"
import { type Sms, sms } from "./Sms.ts"
import { type Verify, verify } from "./Verify.ts"

/** Groups and methods have the names that they have in a service of `createWatchword`. */
export interface Client {
  readonly verify: Verify
  readonly call: Calls
  readonly sms: Sms
  readonly chat: Chat
  readonly businessChat: BusinessChat
  readonly sandbox: Sandbox
}

/**
 * Makes a client of one account. It holds no connection, so it needs no end.
 *
 * Each send and each start has an `Idempotency-Key`, so it is repeated without sending twice when a connection fails; reads,
 * lists, reports and cancellations are repeated as well. The client never repeats a request that could act twice. Promises reject
 * with a `WatchwordError`, whose `idempotencyKey` repeats the request.
 *
 * @throws `TypeError` for options that cannot be used
 *
 * @example
 * ```ts no_run
 * import { createClient } from "@watchword/client"
 *
 * const { verify } = createClient({
 *   baseUrl: "https://otp.example.com/v1",
 *   apiKey: "sk_test_…",
 *   accountId: "acc_…"
 * })
 * const { id } = await verify.start({ to: "+4915123456789" })
 * const { valid } = await verify.check({ verification_id: id, code: "123456" })
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  const request = Request.make(options)
  return {
    verify: verify(request),
    call: calls(request),
    sms: sms(request),
    chat: chat(request),
    businessChat: businessChat(request),
    sandbox: sandbox(request)
  }
}
