/**
 * Where a service's alarms go, as options name it.
 */
import {
  type AlarmOptions as Checked,
  type Mail,
  type QuietHours,
  alarmsLayer,
  parseQuietHours
} from "@watchword/operator/jobs"
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import { type BadRequest, type Issue, invalid } from "@watchword/schemas/Errors"
import type { Described } from "@watchword/send/channel/Features"
import { type Secret, redacted, textOf } from "@watchword/send/gateway"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The destinations of alarms, and their times. */
export interface AlarmOptions {
  /** An address that gets each alarm as an event, signed as webhooks are with the secret, `whsec_` and base 64. */
  readonly webhook?: { readonly url: string; readonly secret: Secret }
  /** The address of an incoming webhook of Slack, or of a chat that takes the same form. */
  readonly slack?: Secret
  /** Who gets a mail, and how it is sent; a rejection has it sent again. */
  readonly email?: { readonly to: ReadonlyArray<string>; readonly send: (mail: Mail) => Promise<void> }
  /** Seconds after which an alarm that lasts is sent again; 14,400 by default. */
  readonly again?: number
  /** A time of each day in which only bad problems raise an alarm, such as `22:00-07:00 Europe/Berlin`. */
  readonly quietHours?: string | QuietHours
}

const AGAIN = 4 * 60 * 60

/** Alarms for the option of a service. For programs written with Effect it is a layer. */
export interface Alarms extends Layer.Layer<never, BadRequest, ChannelRegistry | Described | Settings | Store> {}

/**
 * Alarms: the problems of `overview`, sent to a webhook, to a chat of Slack's form, and by e-mail. A service with a
 * wrong address or time rejects with `BadRequest`, which names it. Loaded only by programs that have alarms.
 *
 * @example
 * ```ts
 * import { alarms, createWatchword, memory } from "watchword"
 *
 * const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAAAAAAAA"
 * const service = await createWatchword({
 *   store: memory(),
 *   alarms: alarms({
 *     webhook: { url: "https://ops.example.com/alarms", secret },
 *     quietHours: "22:00-07:00 Europe/Berlin"
 *   })
 * })
 * await service.dispose()
 * ```
 */
export const alarms = (options: AlarmOptions): Alarms => Layer.unwrap(Effect.map(checked(options), alarmsLayer))

const checked = ({
  again = AGAIN,
  email,
  quietHours,
  slack,
  webhook
}: AlarmOptions): Effect.Effect<Checked, BadRequest> => {
  const quiet = typeof quietHours === "string" ? parseQuietHours(quietHours) : (quietHours ?? null)
  const issues = [
    ...(webhook === undefined ? [] : [...addressIssues("alarms.webhook.url", webhook.url), ...secretIssues(webhook)]),
    ...(slack === undefined ? [] : addressIssues("alarms.slack", textOf(slack))),
    ...(again >= 60 ? [] : [{ path: "alarms.again", message: "must be 60 seconds or more" }]),
    ...(quietHours !== undefined && quiet === null ? [QUIET] : [])
  ]
  if (issues.length > 0) return Effect.fail(invalid(issues))
  return Effect.succeed({
    webhook: webhook === undefined ? null : { url: webhook.url, secret: redacted(webhook.secret) },
    slack: slack === undefined ? null : redacted(slack),
    email: email ?? null,
    again: again * 1000,
    quiet
  })
}

const QUIET = { path: "alarms.quietHours", message: "must be two times and a zone, such as 22:00-07:00 Europe/Berlin" }

const addressIssues = (path: string, url: string): ReadonlyArray<Issue> =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? []
    : [{ path, message: "must be an address that begins with https:// or http://" }]

const secretIssues = ({ secret }: NonNullable<AlarmOptions["webhook"]>): ReadonlyArray<Issue> =>
  /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(textOf(secret))
    ? []
    : [{ path: "alarms.webhook.secret", message: "must be whsec_ and base 64 of 24 bytes or more" }]
