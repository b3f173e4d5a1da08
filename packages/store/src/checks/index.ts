/**
 * Conformance suites without a test runner: a suite is a list of cases, and a case is a name and an effect that
 * fails when the implementation breaks its port's contract.
 */
export { type Case, type CaseOf, bind, group } from "./Case.ts"
export { type SeededRandom, seededRandom } from "./SeededRandom.ts"
export { Violation } from "./Violation.ts"
export { type Pattern, eventually, holds, like, same } from "./checks.ts"
export { collect } from "./collect.ts"
