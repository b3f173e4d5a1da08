/**
 * What operators see of a gateway: whether its connections can be used, what its peer has said that the gateway does not
 * recognize, and the notices of its platform.
 */
export type { GatewayHealth } from "../internal/gateway/GatewayHealth.ts"
export { type Notice, keep as keepNotice, standing as standingNotices } from "../internal/gateway/Notices.ts"
export { type Said, type Seen, Unrecognized, foreign, joined } from "../internal/gateway/Unrecognized.ts"
