/**
 * Decisions of the smaller verbs of the port, which each store looks facts up for and carries out.
 *
 * | verb | decision |
 * |---|---|
 * | `changeAccount` | `changed` |
 * | `credit`, `debit` | `decide` |
 * | `count` | `counted` |
 * | `addTraffic`, `traffic` | `addedTraffic`, `sumsOfTraffic` |
 * | `sweep` | `keptSince` |
 * | `redact`, `purge` | `isPurgeable`, `isUnderWay`, `redacted` |
 * | balances of a posting | `Postings` |
 */
export * as Postings from "../internal/Postings.ts"
export { changed } from "../internal/AccountChanges.ts"
export { type Adjustment, decide } from "../internal/Adjustments.ts"
export { type Bucket, counted } from "../internal/Counters.ts"
export { type Redaction, isPurgeable, isUnderWay, redacted } from "../internal/Redaction.ts"
export { FORGOTTEN, PURGED } from "../internal/RetentionStore.ts"
export { addedTraffic, keptSince, sumsOfTraffic } from "../internal/Traffic.ts"
