/**
 * The client: the groups of the interface, each endpoint a method.
 */
import { type Bizchat, bizchat } from "./Bizchat.ts"
import { type Calls, calls } from "./Calls.ts"
import { type Chatgw, chatgw } from "./Chatgw.ts"
import type { Convention, OverHttp } from "./Convention.ts"
import * as Request from "./internal/Request.ts"
import type { ClientOptions } from "./Options.ts"
import { type Requests, requests } from "./Requests.ts"
import { type Sandbox, sandbox } from "./Sandbox.ts"
import { type Sms, sms } from "./Sms.ts"
import { type Verify, verify } from "./Verify.ts"

/** It has the same groups and methods as a service of `createWatchword`. */
export interface Client<C extends Convention = OverHttp> {
  /** Verifications: a code over several channels, sent until it arrives, and checked. */
  readonly verify: Verify<C>
  /** Texts. */
  readonly sms: Sms<C>
  /** Flash calls: the phone rings, and the caller id is the code. */
  readonly call: Calls<C>
  /** Codes through a chat app's own gateway. */
  readonly chatgw: Chatgw<C>
  /** Codes through a business messaging platform. */
  readonly bizchat: Bizchat<C>
  /** The sandbox's phones and their inbox. */
  readonly sandbox: Sandbox<C>
  /** Requests of the account that were refused or failed, of the last seven days. */
  readonly requests: Requests<C>
}

/**
 * Makes a client of one account. It holds no connection, so it needs no end.
 *
 * Each send and each start has an `Idempotency-Key`, so it is repeated without sending twice when a connection fails;
 * reads, lists, reports and cancellations are repeated as well. The client never repeats a request that could act
 * twice. Promises reject with a `WatchwordError`, whose `idempotencyKey` repeats the request.
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
 * const { valid } = await verify.check(id, { code: "123456" })
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  const request = Request.make(options)
  return {
    verify: verify(request),
    sms: sms(request),
    call: calls(request),
    chatgw: chatgw(request),
    bizchat: bizchat(request),
    sandbox: sandbox(request),
    requests: requests(request)
  }
}
