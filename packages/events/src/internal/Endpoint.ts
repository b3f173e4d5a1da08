/**
 * Endpoints of webhooks: settings of an account, whose events they get, or of the installation, for the events of all
 * accounts.
 *
 * The operator's part of an endpoint and its state are settings of their own, so that a process that notes a failure
 * never writes over a secret that was rotated.
 */
import { matchesEvent } from "@watchword/schemas/Event"
import { nextUlid } from "@watchword/schemas/Ids"
import { Sealed } from "@watchword/send/pipeline"
import * as Setting from "@watchword/store/Setting"
import * as Schema from "effect/Schema"

/** The next identifier of an endpoint, `whk_` and a ULID. @param at milliseconds since the epoch */
export const nextWebhookId = (at: number): string => `whk_${nextUlid(at)}`

/** The most endpoints of an account, and of the installation. */
const MOST = 20

/** An http or https address without a user and a fragment. */
const Url = Schema.String.check(
  Schema.makeFilter((text) =>
    isWebAddress(text) ? undefined : "must be an https or http address without a user and a fragment"
  )
)

export const isWebAddress = (text: string): boolean => {
  if (text.length > 2_048 || !URL.canParse(text)) return false
  const { hash, password, protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === ""
}

/** Patterns of another program may be of types that this one does not have. */
const Patterns = Schema.Array(Schema.String).check(
  Schema.isMinLength(1, { message: "must name an event" }),
  Schema.isMaxLength(32, { message: "must have at most 32 entries" })
)

/** A secret in the form of Standard Webhooks, and when it ends; null for never. */
const Secret = Schema.Struct({
  secret: Schema.String.check(Schema.isPattern(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)),
  until: Schema.NullOr(Schema.Int)
})
export type Secret = typeof Secret.Type

export const Secrets = Schema.Array(Secret)

/** The operator's part of an endpoint. Times are milliseconds since the epoch. */
export const Endpoint = Schema.Struct({
  url: Url,
  events: Patterns,
  /** Newest first: two while one replaces the other. Empty if they are sealed. */
  secrets: Secrets,
  sealed: Schema.optionalKey(Sealed),
  created_at: Schema.Int
})
export type Endpoint = typeof Endpoint.Type

export const endpoints = Setting.family({ prefix: "webhook:", title: "webhook", most: MOST, schema: Endpoint })

/** The state of an endpoint that has failed or is disabled; missing while all is well. */
export const State = Schema.Struct({
  /** Since when no event was taken. */
  failing_since: Schema.Int,
  /** Why nothing is sent any more: it answered 410, or has failed for five days. Null while it is tried. */
  disabled: Schema.NullOr(Schema.Struct({ at: Schema.Int, why: Schema.Literals(["gone", "failing"]) }))
})
export type State = typeof State.Type

export const states = Setting.family({ prefix: "webhook-state:", title: "webhook state", most: MOST, schema: State })

/** A new secret: 32 random bytes. */
export const newSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** The secrets with a new one; the previous one keeps working until a time. */
export const rotated = (secrets: ReadonlyArray<Secret>, secret: string, until: number): ReadonlyArray<Secret> => [
  { secret, until: null },
  ...secrets.slice(0, 1).map((each) => ({ ...each, until }))
]

/** The secrets that events are signed with at a time. */
export const secretsAt = (secrets: ReadonlyArray<Secret>, now: number): ReadonlyArray<string> =>
  secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret)

/** Whether a type of event matches these patterns. Tries of an operator always are. */
export const wants = (patterns: ReadonlyArray<string>, type: string): boolean =>
  type === "webhook.test" || patterns.some((pattern) => matchesEvent(pattern, type))
