/**
 * Rehearsals: a carrier's messages and answers when an operator's own phone is tried, and the conclusions about its
 * dialect.
 *
 * A gateway that can rehearse has a `Rehearsal`, and its channel keeps it with `keepRehearsals`. The `Reader` of the
 * gateway's protocol, which a host of the operator's commands has among its `Readers`, interprets the heard messages.
 */
export {
  type Advice,
  type Dialect,
  type Finding,
  type Question,
  type Reader,
  Readers,
  textsOf,
  zoneOf
} from "./Dialect.ts"
export { type Carrier, Heard, type Rehearsal, type Trial } from "./Rehearsal.ts"
export {
  type Found,
  type Known,
  OwnCarriers,
  find as findCarrier,
  last as lastRehearsal,
  run as rehearse
} from "./RehearsalAdmin.ts"
export { keep as keepRehearsals } from "./Rehearsals.ts"
