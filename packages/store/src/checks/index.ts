/**
 * Conformance suites without a test runner: a suite is a list of cases, and a case is a name and an effect that fails
 * when the implementation breaks its port's contract. Suites of hosts exchange HTTP as it is on the wire; those need
 * Node.js.
 */
export { type Case, type CaseOf, bind, group } from "./Case.ts"
export { type SeededRandom, seededRandom } from "./SeededRandom.ts"
export { Violation } from "./Violation.ts"
export { type Pattern, eventually, holds, like, same } from "./checks.ts"
export { collect } from "./collect.ts"
export { type Answer, type Question, exchange, exchangeRaw } from "./exchange.ts"
