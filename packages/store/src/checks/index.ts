/**
 * Conformance suites without a test runner: a suite is a list of cases, and a case is a name and an effect that
 * fails when the implementation breaks its port's contract.
 */
export * from "./Case.ts"
export * from "./Violation.ts"
export * from "./checks.ts"
export * from "./collect.ts"
export * as SeededRandom from "./SeededRandom.ts"
