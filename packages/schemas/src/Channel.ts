/**
 * The channels a passcode can travel by, and the two worlds every account lives in.
 */
import * as Schema from "effect/Schema"

/** The four ways to a phone. */
export const Channel = Schema.Literals(["call", "sms", "chatgw", "bizchat"])
export type Channel = typeof Channel.Type

/** What an account can buy, and records are kept of: a message by one of the channels, or a probe of the chat gateway. */
export const Product = Schema.Literals([...Channel.literals, "chatgw_probe"])
export type Product = typeof Product.Type

/**
 * `live` reaches carriers and moves money; `sandbox` simulates every gateway and costs nothing.
 * Records of one are invisible to the other.
 */
export const Mode = Schema.Literals(["live", "sandbox"])
export type Mode = typeof Mode.Type

/** What a key may do on a channel. */
export const Action = Schema.Literals(["send", "read", "report"])
export type Action = typeof Action.Type

/** A permission of an API key, for example `sms:send`. */
export const Scope = Schema.TemplateLiteral([Channel, ":", Action])
export type Scope = typeof Scope.Type

/** Every scope there is, in a stable order. */
export const scopes: ReadonlyArray<Scope> = Channel.literals.flatMap((channel) =>
  Action.literals.map((action): Scope => `${channel}:${action}`)
)
