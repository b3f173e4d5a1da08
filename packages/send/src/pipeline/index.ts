/**
 * The parts of the pipeline that other rooms of a service work with: listeners of deliveries, the leases and jobs of
 * processes, secrets and the values sealed under them, guard reasons, pools of callers, metrics.
 *
 * | part | for |
 * |---|---|
 * | `observedStore`, `DeliveryChanges`, `Watchers` | the store, and the listeners of its steps |
 * | `heartbeatLayer`, `keepJob`, `Reconciler` | what processes share: which of them live, who does periodic work, sends without an outcome |
 * | `InstallationSecret`, `makeSeals`, `sealWith` | the secret of an installation, and the values sealed under it |
 * | `permitted`, `pickCaller`, `CallerRests` | originators of messages, and pools of callers |
 * | `forkBackground`, `WaitUntil` | work that continues after an answer |
 * | `counter`, `by` | metrics |
 */
export {
  type AccountCallers,
  type Callers,
  areEnough,
  draw as drawCaller,
  get as getCallers,
  of as callersOf,
  pick as pickCaller,
  remove as removeCallers,
  set as setCallers
} from "./AccountCallers.ts"
export {
  type Admission,
  type Claimed,
  accountRefusal,
  conflictOf,
  endedAt,
  make as makeAdmission
} from "./Admission.ts"
export { BackgroundAllowed, WaitUntil, fork as forkBackground, waitUntilUnsafe } from "./Background.ts"
export { CallerRests, Rests } from "./CallerRests.ts"
export { insufficient } from "../internal/Refusals.ts"
export { INCOMPLETE } from "./Closes.ts"
export { type Content, Observer, contentOf } from "./Content.ts"
export {
  type Change,
  type DeliveryChange,
  DeliveryChanges,
  type EventsChange,
  isCounted,
  isNews,
  isOfSandbox,
  isReported,
  isReturned,
  none as noDeliveryChanges
} from "./DeliveryChanges.ts"
export { type Permanent, REASONS, SPEND, isLimit, isPermanent, limitOf, refusalOf } from "./GuardReasons.ts"
export { Heartbeat, layer as heartbeatLayer } from "./Heartbeat.ts"
export { InstallationSecret, layerNone as noInstallationSecret } from "./InstallationSecret.ts"
export { type Job, jobs, keep as keepJob } from "./Job.ts"
export { by, counter, countryLabel } from "./Metrics.ts"
export { standing as standingNotices } from "../gateway/Notices.ts"
export { Unrecognized } from "../gateway/Unrecognized.ts"
export { layer as observedStore } from "./ObservedStore.ts"
export { type Permitted, permitted } from "./Originator.ts"
export {
  type Options as ReconcilerOptions,
  Reconciler,
  layer as reconcilerLayer,
  make as makeReconciler
} from "./Reconciler.ts"
export { derive as deriveKey, open as openSealed, seal as sealWith } from "./Sealing.ts"
export { type Place, Sealed, type Seals, make as makeSeals, renew as renewSeals } from "./Seals.ts"
export { type Asked as WatchersAsked, type Service as WatchersService, Watchers } from "./Watchers.ts"
