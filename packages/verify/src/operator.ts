/**
 * What operators set and see of verifications: defaults, workflows, texts, test numbers, and those of all accounts.
 */
export { testNumbers } from "./internal/VerifySettings.ts"
export * as Defaults from "./internal/operator/Defaults.ts"
export * as Pending from "./internal/operator/Pending.ts"
export * as Templates from "./internal/operator/Templates.ts"
export * as TestNumbers from "./internal/operator/TestNumbers.ts"
export * as Texts from "./internal/operator/Texts.ts"
export * as Verifications from "./internal/operator/Verifications.ts"
export * as Workflows from "./internal/operator/Workflows.ts"
