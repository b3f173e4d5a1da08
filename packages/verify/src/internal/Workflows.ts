/**
 * Steps of a verification that starts: those that were asked for, those of the account, or the channels that are
 * configured, the cheapest first and calls last.
 */
import { Siblings } from "@watchword/send/internal/channel/Siblings"
import { price } from "@watchword/ledger/PriceTable"
import { Prices } from "@watchword/ledger/internal/Prices"
import type { Product } from "@watchword/schemas/Channel"
import type { BadRequest } from "@watchword/schemas/Errors"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import { invalid } from "@watchword/schemas/internal/Issues"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { StartVerification, Step, StepChannel } from "@watchword/schemas/Verification"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { AccountSettings } from "./AccountSettings.ts"
import type { Callers } from "./Callers.ts"

export interface Workflows {
  /**
   * The steps of a start. Channels that have no price for the number are left out, and calls where their callers are too
   * few for a code of the length.
   */
  readonly of: (
    settings: AccountSettings,
    principal: Principal,
    start: Pick<StartVerification, "workflow" | "to">,
    codeLength: number
  ) => Effect.Effect<ReadonlyArray<Step>, BadRequest | ServiceUnavailable | StoreError>
}

export const make = Effect.fnUntraced(function* (callers: Callers): Effect.fn.Return<Workflows> {
  const siblings = yield* Siblings
  const prices = yield* Prices

  /**
   * The channels that messages can leave by. The sandbox has those of live keys, so that it shows what they will do; without
   * any it has all.
   */
  const configured = ({ mode }: Principal): Effect.Effect<ReadonlyArray<StepChannel>> =>
    Effect.map(siblings, (running) => {
      const live = running.filter(({ isLive }) => isLive)
      const names = new Set(
        (live.length === 0 && mode === "sandbox" ? running : live).map(({ channel }) => channel.name)
      )
      return CHANNELS.filter((channel) => names.has(channel))
    })

  /** Whether a channel is sold to a number; in the sandbox each is. */
  const isSold = ({ mode }: Principal, channel: StepChannel, to: E164): boolean =>
    mode === "sandbox" || PRODUCTS[channel].every((product) => price(prices, product, to, 1) !== null)

  const cheapestFirst = (channels: ReadonlyArray<StepChannel>, to: E164): ReadonlyArray<Step> =>
    channels
      .map((channel) => ({ channel, cost: channel === "call" ? LAST : (price(prices, channel, to, 1) ?? 0) }))
      .toSorted((one, other) => one.cost - other.cost)
      .map(({ channel }) => ({ channel, timeout: TIMEOUTS[channel] }))

  const wanted = Effect.fnUntraced(function* (
    settings: AccountSettings,
    principal: Principal,
    { to, workflow }: Pick<StartVerification, "workflow" | "to">
  ) {
    if (workflow !== undefined && typeof workflow !== "string") return workflow
    const set = yield* settings.workflow(workflow ?? null)
    if (set !== null) return set
    if (workflow !== undefined) return yield* refused("workflow", "is the name of no workflow of the account")
    const channels = yield* configured(principal)
    if (channels.length === 0) return yield* new ServiceUnavailable({ message: "No gateway is configured." })
    return cheapestFirst(channels, to)
  })

  const of: Workflows["of"] = Effect.fnUntraced(function* (settings, principal, start, codeLength) {
    const steps = yield* wanted(settings, principal, start)
    const sold = steps.filter(({ channel }) => isSold(principal, channel, start.to))
    if (sold.length === 0) return yield* refused("to", "is a number that no price is set for")
    if (sold.every(({ channel }) => channel !== "call") || (yield* callers.suffice(principal, codeLength))) return sold
    const others = sold.filter(({ channel }) => channel !== "call")
    return others.length > 0
      ? others
      : yield* refused("workflow", "has calls only, and the account has no pool of callers that is large enough")
  })

  return { of }
})

/** Chats first among those that cost the same. */
const CHANNELS: ReadonlyArray<StepChannel> = ["chatgw", "bizchat", "sms", "call"]

/** The cost by which calls come behind all other channels. */
const LAST = Number.MAX_SAFE_INTEGER

/** What is charged for on each channel. */
const PRODUCTS: { readonly [C in StepChannel]: ReadonlyArray<Product> } = {
  chatgw: ["chatgw_probe", "chatgw"],
  bizchat: ["bizchat"],
  sms: ["sms"],
  call: ["call"]
}

/** Seconds until the next step, where nothing is heard. */
const TIMEOUTS: { readonly [C in StepChannel]: number } = { chatgw: 30, bizchat: 30, sms: 60, call: 60 }

const refused = (path: string, message: string) => invalid([{ path, message }])
