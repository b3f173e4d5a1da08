/**
 * Carriers by name, and the routes of accounts among them.
 */
import * as CarrierCommands from "@watchword/operator/commands/CarrierCommands"
import * as RouteAdmin from "@watchword/send/internal/routes/RouteAdmin"
import type { RouteInput } from "@watchword/send/internal/routes/RouteTable"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Run, accountId } from "./Run.ts"

export interface CarrierOperator {
  /** The carriers of all running servers, and those that are drained. */
  readonly list: () => Promise<ReadonlyArray<CarrierCommands.Listed>>
  /** Has a carrier take no more messages, for so many milliseconds, or until it is resumed; those under way go on. */
  readonly drain: (carrier: string, duration?: number) => Promise<void>
  /** Has a carrier take messages again. False where it was not drained. */
  readonly resume: (carrier: string) => Promise<boolean>
  /** The routes of an account, each with its channel, which precede those of the installation; null where it has none. */
  readonly routes: (account: string) => Promise<ReadonlyArray<RouteInput> | null>
  /** Sets the routes of an account. Running servers follow within a second. */
  readonly setRoutes: (account: string, routes: ReadonlyArray<RouteInput>) => Promise<void>
  /** Takes the routes of an account away. False where it had none. */
  readonly removeRoutes: (account: string) => Promise<boolean>
}

export const make = (run: Run<Settings | Store>): CarrierOperator => ({
  list: async () => (await run(CarrierCommands.list.call({}))).carriers,
  drain: async (carrier, duration) => void (await run(CarrierCommands.drain.call({ carrier, duration }))),
  resume: (carrier) => run(RouteAdmin.resume(carrier)),
  routes: (account) => run(Effect.flatMap(accountId(account), RouteAdmin.routesOf)),
  setRoutes: (account, routes) =>
    run(Effect.asVoid(Effect.flatMap(accountId(account), (id) => RouteAdmin.setRoutes(id, routes)))),
  removeRoutes: (account) => run(Effect.flatMap(accountId(account), RouteAdmin.removeRoutes))
})
