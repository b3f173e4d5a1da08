/**
 * The groups of endpoints: one for each channel, that of verifications, and that of the sandbox.
 */
export { BusinessChatGroup } from "./BusinessChatGroup.ts"
export { CallGroup } from "./CallGroup.ts"
export { ChatGroup } from "./ChatGroup.ts"
export { SandboxGroup } from "./SandboxGroup.ts"
export { SmsGroup } from "./SmsGroup.ts"
export { VerifyGroup } from "./VerifyGroup.ts"
