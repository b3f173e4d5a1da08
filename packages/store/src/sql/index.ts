/**
 * SQL that stores share: rows and their columns, the numbers that represent names in them, the buckets by which records
 * are counted, conditions and orders of lists, the plan of each list, the queue of events, the newest records and the
 * log of refused requests.
 */
export {
  type AccountRow,
  type KeyRow,
  accountStatement,
  changeAccount,
  decodeAccount,
  decodeKey,
  encodeAccount,
  encodeAccountChange,
  encodeKey
} from "./AccountRows.ts"
export { FINE_WIDTH, type Segment, WEEK, WIDTH, bucketOf, firstOf, lastOf, segments } from "./Buckets.ts"
export { heldUntilCode, heldUntilOf, isReferable, kindCode, kindOf, phaseCode, phaseOf } from "./Codes.ts"
export { type Column, type Sql, columns, comparisons, expression, joined, predicate } from "./Conditions.ts"
export { entryIdOf, partsOfEntryId, placeOfEntryId } from "./EntryIds.ts"
export * as EventSql from "./Events.ts"
export { type Plan, planOf } from "./ListPlan.ts"
export { type Filtered, inStatus, partitions, partitionsAndWeeks, recordsIn, recordsOf, written } from "./ListSql.ts"
export * as NewestSql from "./Newest.ts"
export { type Partitions, makePartitions, modeCode, modeOf, reading, tenantOf } from "./Partitions.ts"
export {
  TRAFFIC_TABLES,
  addTraffic,
  createTrafficTables,
  decodeTraffic,
  deleteTraffic,
  encodeTraffic,
  selectTraffic,
  sqliteAddTraffic,
  sqliteSelectTraffic,
  sqliteTrafficTables,
  trafficParameters
} from "./TrafficSql.ts"
export {
  type RefusedDialect,
  REFUSED_COLUMNS,
  createRefused,
  decodeRefused,
  deleteRefused,
  encodeRefused,
  forgetRefused,
  insertRefused,
  pruneParameters,
  refusedParameters,
  selectRefused,
  sqliteRefused
} from "./RefusedSql.ts"
export { type Time, UNBOUNDED, type Window, isEmpty, narrowed } from "./Window.ts"
