/**
 * Settings of routes: an account's routes, which precede the installation's, and the carriers that an operator has
 * drained.
 */
import * as Setting from "@watchword/store/Setting"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { RouteInput, read } from "./RouteTable.ts"

/**
 * Every process checks the names of carriers by itself: its carriers may differ from those known to the process that
 * sets the routes.
 */
const Routes = Schema.Array(RouteInput).check(
  Schema.makeFilter((routes) =>
    Result.match(read(routes, null, null), {
      onFailure: ({ message }) => message,
      onSuccess: () => undefined
    })
  )
)

/** The routes of an account; each route names its channel. */
export const routes = Setting.make({ name: "routes", title: "list of routes", schema: Routes })

/** The most carriers that may be drained at a time. */
const MOST = 1_000

/**
 * The drained carriers of the installation by their names, with the time until which they are; null for no such time.
 */
export const drains = Setting.family({
  prefix: "carrier-drain:",
  title: "drained carrier",
  most: MOST,
  schema: Schema.NullOr(Schema.Int)
})
