/**
 * Operators' settings and views of verifications: defaults, workflows, texts, test numbers, and the verifications of
 * all accounts.
 */
export { testNumbers } from "../internal/VerifySettings.ts"
export * as Defaults from "./Defaults.ts"
export * as OwnTexts from "./OwnTexts.ts"
export * as Pending from "./Pending.ts"
export * as Template from "./Template.ts"
export * as Templates from "./Templates.ts"
export * as TestNumbers from "./TestNumbers.ts"
export * as Texts from "./Texts.ts"
export * as Verifications from "./Verifications.ts"
export * as Workflows from "./Workflows.ts"
