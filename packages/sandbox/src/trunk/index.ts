/**
 * A SIP trunk for tests and development: any SIP client calls the phones behind it, and a script says how they behave.
 * Its phones call, too.
 * There is no media. It listens on 127.0.0.1.
 *
 * @example
 * ```ts
 * import { trunk } from "@watchword/sandbox/trunk"
 *
 * const phones = await trunk({
 *   script: {
 *     // One number is busy; the others ring until the caller gives up.
 *     invite: (call) => (call.to === "+4915123456789" ? call.respond(486) : call.ring())
 *   }
 * })
 * console.log(phones.url()) // sip:client:secret@127.0.0.1:…;keepalive=0
 * await phones.stop()
 * ```
 */
import type { TrunkOptions } from "../internal/trunk/Script.ts"
import { Trunk } from "../internal/trunk/Trunk.ts"

export type { Peer } from "../internal/trunk/Peer.ts"
export type { CallOptions, PhoneCall } from "../internal/trunk/PhoneCall.ts"
export type { Reply, Script, TrunkOptions } from "../internal/trunk/Script.ts"
export type { Trunk } from "../internal/trunk/Trunk.ts"
export type { TrunkCall } from "../internal/trunk/TrunkCall.ts"
export { type ResponseOptions, type Wire, branch, cseq, header, numberOf, read, response, tag } from "./wire.ts"

/** Starts a trunk. It stops by `stop`, or with the block that has it by `await using`. */
export const trunk = async (options: TrunkOptions = {}): Promise<Trunk> => {
  const started = new Trunk(options)
  await started.listen()
  return started
}
