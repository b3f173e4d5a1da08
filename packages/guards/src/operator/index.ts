/**
 * What operators set and see of guards: rules, blocks and exceptions, and doubts about them.
 */
export * as Blocks from "./Blocks.ts"
export { countedAs } from "../internal/Countries.ts"
export * as DeniedLimits from "./DeniedLimits.ts"
export { doubtOfBlock, doubts, refuses, worldCodes } from "./Doubts.ts"
export * as GuardAdmin from "./GuardAdmin.ts"
export { type OwnRules } from "./GuardAdmin.ts"
export * as GuardSettings from "./GuardSettings.ts"
export { type Past, rehearse } from "./Rehearsal.ts"
