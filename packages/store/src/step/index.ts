/**
 * The step engine, and the decisions of the smaller verbs of the port, as pure functions that each store looks facts up
 * for and carries out.
 *
 * {@link open}, {@link close} and {@link report} decide the steps of a send on a {@link Snapshot}; the store applies
 * the {@link Changes}. Stores that read all facts of a step at once ask a {@link Lookup} what to read.
 *
 * | verb | decision |
 * |---|---|
 * | `changeAccount` | `changed` |
 * | `credit`, `debit` | `decide` |
 * | `takeEvents` | `inTurns` |
 * | `redact`, `purge` | `isPurgeable`, `isUnderWay`, `redacted` |
 *
 * `@watchword/store/Counters` and `@watchword/store/Traffic` have the steps of `count`, `addTraffic` and `traffic`.
 */
export { type AccountChange, changed } from "./AccountChanges.ts"
export { type Adjusted, type Adjustment, decide } from "./Adjustments.ts"
export {
  type Changes,
  type NamedPart,
  type NewRecord,
  type PartStatus,
  type Posting,
  changesNothing,
  noChanges
} from "./Changes.ts"
export { type Facts, type Lookup, lookupOfClose, lookupOfOpen, lookupOfReport, snapshotOf } from "./Lookup.ts"
export { type Redaction, isPurgeable, isUnderWay, redacted } from "./Redaction.ts"
export type { AccountState, HeldClaim, Part, PartReport, Snapshot, Unmatched } from "./Snapshot.ts"
export { type Decision, close, open, report } from "./Step.ts"
export { type Transition, begun, fit, isOpen, isReferable } from "./Transitions.ts"
export { type Pending, inTurns } from "./Turns.ts"
