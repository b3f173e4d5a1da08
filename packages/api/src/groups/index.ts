/**
 * The groups of endpoints: one for each channel, that of verifications, that of the sandbox, and that of refused
 * requests.
 */
export { BizchatGroup } from "./BizchatGroup.ts"
export { CallGroup } from "./CallGroup.ts"
export { ChatgwGroup } from "./ChatgwGroup.ts"
export { RefusedRequest, RequestsGroup } from "./RequestsGroup.ts"
export { SandboxGroup } from "./SandboxGroup.ts"
export { SmsGroup } from "./SmsGroup.ts"
export { VerifyGroup } from "./VerifyGroup.ts"
