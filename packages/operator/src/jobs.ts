/**
 * What each process of a service does for its operators by itself: it sweeps records that are older than the
 * installation keeps them, adds up the traffic, and raises alarms.
 */
import type { Redacted } from "effect/Redacted"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Mail } from "./alarms/Destinations.ts"
import type { QuietHours } from "./alarms/QuietHours.ts"

export type { Mail } from "./alarms/Destinations.ts"
export { type QuietHours, parse as parseQuietHours } from "./alarms/QuietHours.ts"
export { Alarms } from "./alarms/Service.ts"
export { Rollup, layer as rollupLayer } from "./insight/traffic/Rollup.ts"
export { Retention, layer as retentionLayer } from "./privacy/Retention.ts"

/** Where alarms go, and when. */
export interface AlarmOptions {
  readonly webhook: { readonly url: string; readonly secret: Redacted } | null
  /** The address of a chat that takes `{ "text": … }`, as Slack does. */
  readonly slack: Redacted | null
  readonly email: { readonly to: ReadonlyArray<string>; readonly send: (mail: Mail) => Promise<void> } | null
  /** Milliseconds after which an alarm that lasts is sent again. */
  readonly again: number
  readonly quiet: QuietHours | null
}

/** Alarms, whose modules are loaded here because few services have any. */
export const alarmsLayer = ({ again, email, quiet, slack, webhook }: AlarmOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const Alarms = yield* Effect.promise(() => import("./alarms/Alarms.ts"))
      const To = yield* Effect.promise(() => import("./alarms/Destinations.ts"))
      const destinations = [
        ...(webhook === null ? [] : [To.webhook(webhook.url, webhook.secret)]),
        ...(slack === null ? [] : [To.slack(slack)]),
        ...(email === null ? [] : [To.email(email.to, email.send)])
      ]
      return Alarms.layer({ again, quiet, destinations })
    })
  )
