/**
 * What operators set and see of guards: rules, blocks and exceptions, and doubts about them.
 */
export * as Blocks from "./internal/Blocks.ts"
export { countedAs } from "./internal/Countries.ts"
export { doubtOfBlock, doubts, refuses, worldCodes } from "./internal/Doubts.ts"
export * as GuardAdmin from "./internal/GuardAdmin.ts"
export { type OwnRules } from "./internal/GuardAdmin.ts"
export * as GuardSettings from "./internal/GuardSettings.ts"
