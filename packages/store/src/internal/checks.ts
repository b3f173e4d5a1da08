/**
 * Conformance suites without a test runner: a suite is a list of cases, and a case is a name and an effect that
 * fails when the implementation breaks its port's contract.
 */
export * from "./checks/Case.ts"
export * from "./checks/Violation.ts"
export * from "./checks/checks.ts"
export * from "./checks/collect.ts"
export * as SeededRandom from "./checks/SeededRandom.ts"
