/**
 * The operator's side of carriers and routes: drains, which are effective in every process within a second, the states
 * of carriers, and the routes of accounts.
 */
import { type BadRequest, type NotFound, invalid } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { Settings, valueOf } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Unrecognized from "../gateway/Unrecognized.ts"
import { rateOf } from "./Carriers.ts"
import * as CarrierStates from "./CarrierStates.ts"
import * as RouteSettings from "./RouteSettings.ts"
import * as SharedFigures from "./SharedFigures.ts"
import { CARRIER_NAME_MUST, type RouteInput, isCarrierName } from "./RouteTable.ts"

/** A carrier as all running processes see it. */
export interface Shown {
  readonly carrier: string
  /** Null for a carrier that is drained and that no running process has. */
  readonly channel: string | null
  /** How many processes have it, how many of them have a connection to it, and in how many it rests after refusals. */
  readonly processes: number
  readonly up: number
  readonly resting: number
  /** Null while it takes messages; with `until` null it is drained until it is resumed. */
  readonly drained: { readonly until: number | null } | null
  readonly window: { readonly used: number; readonly size: number } | null
  /** Micro-euros for a part or a call to all numbers without another cost. */
  readonly cost: number | null
  readonly refusal: CarrierStates.State["refusal"]
  /**
   * Messages a second that the carrier's throttling has taught all servers together; null while it has not throttled.
   */
  readonly rate: number | null
  /** Messages of the last hour, and how many of their codes were entered. */
  readonly sent: number
  readonly approved: number
  /** The carrier's words that its gateways did not recognize, the most recent first. */
  readonly unrecognized: ReadonlyArray<Unrecognized.Seen>
}

/**
 * Stops new messages to a carrier; requests in flight continue.
 *
 * @param duration in milliseconds; null until it is resumed
 */
export const drain = Effect.fnUntraced(function* (
  carrier: string,
  duration: number | null
): Effect.fn.Return<{ readonly until: number | null }, BadRequest | NotFound | StoreError, Settings> {
  if (!isCarrierName(carrier)) return yield* invalid([{ path: "carrier", message: CARRIER_NAME_MUST }])
  const known = new Set((yield* CarrierStates.seen).flatMap(({ states }) => states.map((state) => state.carrier)))
  if (known.size > 0 && !known.has(carrier)) {
    const message = `is no carrier of a running server; use ${[...known].sort().join(", ")}`
    return yield* invalid([{ path: "carrier", message }])
  }
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  for (const [name, until] of yield* settings.all(null, RouteSettings.drains)) {
    if (until !== null && until <= now) yield* settings.remove(null, RouteSettings.drains.of(name))
  }
  const until = duration === null ? null : now + duration
  yield* settings.set(null, RouteSettings.drains.of(carrier), until)
  return { until }
})

/** Until when a carrier is drained; null for a carrier that is not drained, even if its time is over. */
export const drainOf = (
  carrier: string
): Effect.Effect<{ readonly until: number | null } | null, StoreError, Settings> =>
  Settings.use((settings) =>
    Effect.map(settings.all(null, RouteSettings.drains), (drains) => {
      const until = drains.get(carrier)
      return until === undefined ? null : { until }
    })
  )

/** Has a carrier take messages again. Answers whether it was drained. */
export const resume = (carrier: string): Effect.Effect<boolean, NotFound | StoreError, Settings> =>
  isCarrierName(carrier)
    ? Settings.use((settings) => settings.remove(null, RouteSettings.drains.of(carrier)))
    : Effect.succeed(false)

/** All carriers of running processes, and the drained ones, by name. */
export const list: Effect.Effect<ReadonlyArray<Shown>, StoreError, Settings | Store> = Effect.gen(function* () {
  const settings = yield* Settings
  const now = yield* Clock.currentTimeMillis
  const shown = new Map<string, Shown>()
  for (const { channel, states } of yield* CarrierStates.seen) {
    for (const state of states) shown.set(state.carrier, joined(shown.get(state.carrier), channel, state))
  }
  for (const [carrier, until] of yield* settings.all(null, RouteSettings.drains)) {
    if (until !== null && until <= now) continue
    shown.set(carrier, { ...(shown.get(carrier) ?? unknown(carrier)), drained: { until } })
  }
  // The roll-up knows what processes have sent that have ended since; it is some seconds late.
  for (const [carrier, { approved, sent }] of yield* SharedFigures.ofCarriers) {
    const known = shown.get(carrier)
    if (known !== undefined && known.sent < sent) shown.set(carrier, { ...known, sent, approved })
  }
  return [...shown.values()].sort((one, other) => (one.carrier < other.carrier ? -1 : 1))
})

/** The names of all carriers of running processes, and of drained ones. */
export const names: Effect.Effect<ReadonlySet<string>, StoreError, Settings> = Effect.gen(function* () {
  const running = (yield* CarrierStates.seen).flatMap(({ states }) => states.map(({ carrier }) => carrier))
  return new Set([...running, ...(yield* (yield* Settings).all(null, RouteSettings.drains)).keys()])
})

/** Sets the routes of an account, which precede the installation's. */
export const setRoutes = (
  account: AccountId,
  routes: unknown
): Effect.Effect<ReadonlyArray<RouteInput>, BadRequest | NotFound | StoreError, Settings> =>
  Settings.use((settings) => settings.set(account, RouteSettings.routes, routes))

/** Null for an account without routes of its own. */
export const routesOf = (account: AccountId): Effect.Effect<ReadonlyArray<RouteInput> | null, StoreError, Settings> =>
  valueOf(account, RouteSettings.routes)

/** Takes the routes of an account away. Answers whether there were any. */
export const removeRoutes = (account: AccountId): Effect.Effect<boolean, NotFound | StoreError, Settings> =>
  Settings.use((settings) => settings.remove(account, RouteSettings.routes))

const unknown = (carrier: string): Shown => ({
  carrier,
  channel: null,
  processes: 0,
  up: 0,
  resting: 0,
  drained: null,
  window: null,
  rate: null,
  cost: null,
  refusal: null,
  sent: 0,
  approved: 0,
  unrecognized: []
})

const joined = (before: Shown | undefined, channel: string, state: CarrierStates.State): Shown => {
  const { approved, processes, rate, refusal, resting, sent, unrecognized, up, window } =
    before ?? unknown(state.carrier)
  const isLater = state.refusal !== null && (refusal === null || refusal.at < state.refusal.at)
  return {
    carrier: state.carrier,
    channel,
    processes: processes + 1,
    up: up + (state.up ? 1 : 0),
    resting: resting + (state.rests ? 1 : 0),
    drained: null,
    window:
      window === null || state.window === null
        ? (window ?? state.window)
        : { used: window.used + state.window.used, size: window.size + state.window.size },
    rate: rateOf([rate, state.rate ?? null]),
    cost: state.cost,
    refusal: isLater ? state.refusal : refusal,
    sent: sent + state.sent,
    approved: approved + state.approved,
    unrecognized: Unrecognized.joined([unrecognized, state.unrecognized ?? []])
  }
}
