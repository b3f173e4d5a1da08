/**
 * The conformance suite of stores: each sentence of the port's comments, races, and random histories.
 *
 * @example
 * ```ts
 * import { manifest, memory } from "@watchword/store/MemoryStore"
 * import { cases } from "@watchword/store/conformance"
 * import * as Effect from "effect/Effect"
 * import { describe, it } from "vitest"
 *
 * describe("MemoryStore", () => {
 *   const harness = { manifest, store: () => memory() }
 *   for (const { name, check } of cases(harness)) it(name, () => Effect.runPromise(check))
 * })
 * ```
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { Case } from "./checks/index.ts"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { accounts } from "./internal/conformance/accounts.ts"
import type { StoreCase } from "./internal/conformance/Case.ts"
import { before } from "./internal/conformance/before.ts"
import { channels, lackedChannels } from "./internal/conformance/channels.ts"
import { claims } from "./internal/conformance/claims.ts"
import { close } from "./internal/conformance/close.ts"
import { counters, lastingCounters, sharedCounters } from "./internal/conformance/counters.ts"
import { due, lastingDue, sharedDue } from "./internal/conformance/due.ts"
import { clustering, durability, sharing } from "./internal/conformance/durability.ts"
import { events } from "./internal/conformance/events.ts"
import { lastingEvents, sharedEvents, takenEvents } from "./internal/conformance/takenEvents.ts"
import { histories } from "./internal/conformance/histories.ts"
import { ledger } from "./internal/conformance/ledger.ts"
import { lists } from "./internal/conformance/lists.ts"
import { money } from "./internal/conformance/money.ts"
import { newest } from "./internal/conformance/newest.ts"
import { numbers } from "./internal/conformance/numbers.ts"
import { open } from "./internal/conformance/open.ts"
import { openClosed } from "./internal/conformance/openClosed.ts"
import { lastingLog, log, sharedLog } from "./internal/conformance/operatorLog.ts"
import { processes, succession } from "./internal/conformance/processes.ts"
import { records } from "./internal/conformance/records.ts"
import { lastingRefused, refused, sharedRefused } from "./internal/conformance/refused.ts"
import { refunds } from "./internal/conformance/refunds.ts"
import { report } from "./internal/conformance/report.ts"
import { retention } from "./internal/conformance/retention.ts"
import { lastingSettings, settings, sharedSettings } from "./internal/conformance/settings.ts"
import { spellings } from "./internal/conformance/spellings.ts"
import { suspension } from "./internal/conformance/suspension.ts"
import { lastingTraffic, sharedTraffic, traffic } from "./internal/conformance/traffic.ts"
import { unmatched } from "./internal/conformance/unmatched.ts"
import { following, wholes } from "./internal/conformance/wholes.ts"
import { lowBalance, watched } from "./internal/conformance/watched.ts"
import type { Manifest, Store } from "./Store.ts"
import type { StoreError } from "./StoreError.ts"

export interface Harness {
  readonly manifest: Manifest
  /** Opens data of one case, empty at first. A case calls it once, and may build the layer several times. */
  readonly store: () => Layer.Layer<Store, StoreError, ChannelRegistry.ChannelRegistry>
}

/** A part of the port. The cases of a part use those before it, and no later one. */
export type Part =
  | "accounts"
  | "settings"
  | "deliveries"
  | "events"
  | "counters"
  | "traffic"
  | "log"
  | "refused"
  | "retention"
  | "processes"

/** The cases of some parts, by default of all, for a store that can do what its manifest says. */
export const cases = (
  { manifest, store }: Harness,
  parts: ReadonlyArray<Part> = [
    "accounts",
    "settings",
    "deliveries",
    "events",
    "counters",
    "traffic",
    "log",
    "refused",
    "retention",
    "processes"
  ]
): ReadonlyArray<Case> =>
  parts
    .flatMap((part) => byPart[part](manifest))
    .map(({ name, check }) => ({
      name,
      check: Effect.suspend(() => Effect.provide(check(store()), ChannelRegistry.layerBuiltIn))
    }))

const byPart: { readonly [P in Part]: (manifest: Manifest) => ReadonlyArray<StoreCase> } = {
  accounts: () => [...accounts, ...money],
  settings: (manifest) => [
    ...settings,
    ...(manifest.durable ? lastingSettings : []),
    ...(manifest.shared ? sharedSettings : [])
  ],
  deliveries: (manifest) => [
    ...open,
    ...suspension,
    ...claims,
    ...close,
    ...openClosed,
    ...wholes,
    ...(manifest.follows ? following : []),
    ...report,
    ...before,
    ...spellings,
    ...unmatched,
    ...refunds,
    ...due,
    ...ledger,
    ...records,
    ...newest,
    ...numbers,
    ...channels,
    ...lists,
    ...histories,
    ...(manifest.durable ? [...durability, ...lastingDue, ...lackedChannels] : []),
    ...(manifest.shared ? [...sharing, ...sharedDue] : [])
  ],
  events: (manifest) => [
    ...watched,
    ...lowBalance,
    ...events,
    ...takenEvents,
    ...(manifest.durable ? lastingEvents : []),
    ...(manifest.shared ? sharedEvents : [])
  ],
  counters: (manifest) => [
    ...counters,
    ...(manifest.durable ? lastingCounters : []),
    ...(manifest.shared ? sharedCounters : [])
  ],
  traffic: (manifest) => [
    ...traffic,
    ...(manifest.durable ? lastingTraffic : []),
    ...(manifest.shared ? sharedTraffic : [])
  ],
  log: (manifest) => [...log, ...(manifest.durable ? lastingLog : []), ...(manifest.shared ? sharedLog : [])],
  refused: (manifest) => [
    ...refused,
    ...(manifest.durable ? lastingRefused : []),
    ...(manifest.shared ? sharedRefused : [])
  ],
  retention: () => retention,
  processes: (manifest) => [...processes, ...(manifest.cluster ? clustering : succession)]
}
