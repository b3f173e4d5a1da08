/**
 * Conformance suites without a test runner: a suite is a list of cases, and a case is a name and an effect that
 * fails when the implementation breaks its port's contract.
 */
export * from "./internal/checks/Case.ts"
export * from "./internal/checks/Violation.ts"
export * from "./internal/checks/checks.ts"
export * from "./internal/checks/collect.ts"
export * as SeededRandom from "./internal/checks/SeededRandom.ts"
