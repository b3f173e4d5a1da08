/**
 * Steps of a verification that starts: the requested ones, the account's, or the configured channels, the cheapest
 * first and calls last.
 */
import { Prices, price } from "@watchword/ledger/PriceTable"
import { type BadRequest, ServiceUnavailable, invalid } from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import { RECEIVE, type StartVerification, type Step, type StepChannel } from "@watchword/schemas/Verification"
import { Simulator } from "@watchword/send/Send"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { AccountSettings } from "./AccountSettings.ts"
import type { Callers } from "./Callers.ts"
import type { CodeChannel, CodeChannels } from "./CodeChannels.ts"

export interface Workflows {
  /**
   * The steps of a start. Channels that have no price for the number or do not carry so long a code are left out, and
   * calls if their callers are too few for a code of the length.
   */
  readonly of: (
    settings: AccountSettings,
    principal: Principal,
    start: Pick<StartVerification, "workflow" | "to">,
    codeLength: number
  ) => Effect.Effect<ReadonlyArray<Step>, BadRequest | ServiceUnavailable | StoreError>
}

export const make = Effect.fnUntraced(function* (
  { all, named, refusal }: CodeChannels,
  callers: Callers
): Effect.fn.Return<Workflows, never, Prices> {
  const prices = yield* Prices
  const simulator = yield* Simulator

  /**
   * The channels that messages can leave over. The sandbox has the same channels as live keys, so that it shows how
   * live sends will behave; without any it has all.
   */
  const configured = ({ mode }: Principal): ReadonlyArray<CodeChannel> => {
    const live = all.filter(({ isLive }) => isLive)
    return live.length === 0 && mode === "sandbox" ? all : live
  }

  /** Whether a channel is sold to a number; in the sandbox each is, unless the number plays another one. */
  const isSold = ({ mode }: Principal, channel: StepChannel, to: E164): boolean => {
    // Nothing is sent at a step that waits for the user.
    if (channel === RECEIVE) return true
    if (mode === "sandbox") return simulator?.isSold(to) !== false
    return named(channel)?.products.every((product) => price(prices, product, to, 1) !== null) === true
  }

  /**
   * Channels whose caller is the code come last; among channels with the same price, the one with the fastest feedback
   * comes first.
   */
  const cheapestFirst = (channels: ReadonlyArray<CodeChannel>, to: E164): ReadonlyArray<Step> =>
    channels
      .map(({ isCaller, name, timeout }) => ({
        step: { channel: name, timeout },
        cost: isCaller ? LAST : (price(prices, name, to, 1) ?? 0)
      }))
      .toSorted((one, other) => one.cost - other.cost || one.step.timeout - other.step.timeout)
      .map(({ step }) => step)

  const wanted = Effect.fnUntraced(function* (
    settings: AccountSettings,
    principal: Principal,
    { to, workflow }: Pick<StartVerification, "workflow" | "to">
  ) {
    if (workflow !== undefined && typeof workflow !== "string") return yield* known(workflow)
    const set = yield* settings.workflow(workflow ?? null)
    if (set !== null) return set
    if (workflow !== undefined) return yield* refused("workflow", "is the name of no workflow of the account")
    const channels = configured(principal)
    if (channels.length === 0) return yield* new ServiceUnavailable({ message: "No gateway is configured." })
    return cheapestFirst(channels, to)
  })

  const known = (steps: ReadonlyArray<Step>): Effect.Effect<ReadonlyArray<Step>, BadRequest> => {
    const wrong = steps.flatMap(({ channel }, place) =>
      channel === RECEIVE ? [] : (refusal(`workflow[${place}].channel`, channel)?.issues ?? [])
    )
    return wrong.length === 0 ? Effect.succeed(steps) : Effect.fail(invalid(wrong))
  }

  const isByCaller = ({ channel }: Step): boolean => named(channel)?.isCaller === true

  const of: Workflows["of"] = Effect.fnUntraced(function* (settings, principal, start, codeLength) {
    const steps = yield* wanted(settings, principal, start)
    const sold = steps.filter(({ channel }) => isSold(principal, channel, start.to))
    if (sold.length === 0) return yield* refused("to", "is a number that no price is set for")
    const carried = sold.filter(({ channel }) => (named(channel)?.longest ?? codeLength) >= codeLength)
    if (carried.length === 0) {
      return yield* refused("workflow", `has no channel that carries a code of ${codeLength} digits`)
    }
    if (!carried.some(isByCaller) || (yield* callers.suffice(principal, codeLength))) return carried
    const others = carried.filter((step) => !isByCaller(step))
    return others.length > 0
      ? others
      : yield* refused("workflow", "has calls only, and the account has no pool of callers that is large enough")
  })

  return { of }
})

/** The cost by which calls come behind all other channels. */
const LAST = Number.MAX_SAFE_INTEGER

const refused = (path: string, message: string) => invalid([{ path, message }])
