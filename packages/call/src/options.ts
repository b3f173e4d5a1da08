/**
 * Options of trunks as texts have them. A program that reads its settings loads only these, and the SIP client once it
 * is set up.
 *
 * @example
 * ```ts
 * import { fromUrls } from "@watchword/call/options"
 *
 * const options = fromUrls("sip:id:secret@trunk.example")
 * ```
 */
export {
  type Address,
  type Options,
  SipOptionsError,
  type TrunkOptions,
  fromUrls,
  listenAt
} from "./internal/sip/Options.ts"
export type { Certificate, IdentityOptions } from "./internal/sip/inbound/InboundOptions.ts"
