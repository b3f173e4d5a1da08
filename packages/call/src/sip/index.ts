/**
 * Flash calls through trunks over SIP.
 */
export {
  type Address,
  type Options,
  SipOptionsError,
  type TrunkInput,
  type TrunkOptions,
  fromUrls,
  listenAt,
  trunk
} from "../internal/sip/Options.ts"
export type { Resolver, Srv } from "../internal/sip/Resolver.ts"
export { type SipInput, layer, make, sip } from "../internal/sip/SipGateway.ts"
export type { Certificate, IdentityOptions } from "../internal/sip/inbound/InboundOptions.ts"
