/**
 * The groups of endpoints: one for each channel, that of verifications, and that of the sandbox.
 */
export { BizchatGroup } from "./BizchatGroup.ts"
export { CallGroup } from "./CallGroup.ts"
export { ChatgwGroup } from "./ChatgwGroup.ts"
export { SandboxGroup } from "./SandboxGroup.ts"
export { SmsGroup } from "./SmsGroup.ts"
export { VerifyGroup } from "./VerifyGroup.ts"
