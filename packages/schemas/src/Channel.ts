/**
 * Names of channels and products, the modes of an account, and the scopes of keys.
 *
 * The names are open: which channels a service has is said by its `ChannelRegistry`.
 */
import * as Schema from "effect/Schema"

/** The name of a way to a phone, for example `sms`. */
export type Channel = string

/** The name of something that an account can buy and that records are kept of, for example `chatgw_probe`. */
export type Product = string

/**
 * `live` reaches carriers and moves money; `sandbox` simulates every gateway and costs nothing.
 * Records of one are invisible to the other.
 */
export const Mode = Schema.Literals(["live", "sandbox"])
export type Mode = typeof Mode.Type

/** An action that a key may be allowed on a channel. */
export type Action = "send" | "check" | "read" | "report"

/** A permission of an API key, for example `sms:send`. */
export type Scope = `${Channel}:${Action}`
