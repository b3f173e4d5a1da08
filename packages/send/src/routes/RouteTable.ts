/**
 * Routes: which carriers take the messages to a number, and how one of them is chosen. The longest prefix wins.
 */
import { fromSchemaError } from "@watchword/schemas/Errors"
import * as Prefixes from "@watchword/schemas/Prefixes"
import type { MicroEuros } from "@watchword/schemas/Money"
import { Sender, Tlvs, Ttl } from "@watchword/schemas/Sms"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { amount } from "./Costs.ts"
import { type RoutesError, fault } from "./RoutesError.ts"
import { type Terms, noTerms } from "./Way.ts"

/**
 * How a carrier is chosen from a route:
 *
 * | `choose` | the first is |
 * |---|---|
 * | `order` | the first that the route names |
 * | `weight` | drawn, each as often as its weight says |
 * | `cheapest` | the one with the lowest cost to the number; one without a cost comes last |
 * | `best` | the one whose codes are entered most in the country, see `Quality` |
 */
export const choices = ["order", "weight", "cheapest", "best"] as const
export type Choose = (typeof choices)[number]

/** A carrier of a route; a bare name has the weight 1. */
const Via = Schema.Union([
  Schema.String,
  Schema.Struct({ carrier: Schema.String, weight: Schema.optionalKey(Schema.Finite) })
])

/** A route as a JSON file has it. Amounts are in EUR. */
export const RouteInput = Schema.Struct({
  channel: Schema.optionalKey(Schema.String),
  to: Schema.String,
  via: Schema.Array(Via),
  choose: Schema.optionalKey(Schema.Literals(choices)),
  max_cost: Schema.optionalKey(Schema.Union([Schema.Number, Schema.String])),
  sender: Schema.optionalKey(Sender),
  ttl: Schema.optionalKey(Ttl),
  tlvs: Schema.optionalKey(Tlvs)
})
export type RouteInput = typeof RouteInput.Encoded
type DecodedRoute = typeof RouteInput.Type

export interface Route {
  /** The prefix, or `*`. */
  readonly to: string
  readonly via: ReadonlyArray<{ readonly carrier: string; readonly weight: number }>
  readonly choose: Choose
  /** The most that a part or a call may cost on it; null for any cost. */
  readonly maxCost: MicroEuros | null
  readonly terms: Terms
}

export type RouteTable = Prefixes.Prefixes<Route>

/** The channel of a carrier by its name. */
export type ChannelOf = ReadonlyMap<string, string>

/**
 * The routes of each channel.
 *
 * @param json a list as a JSON file has it
 * @param carriers null if they are not known here, as for a route of an account that another process serves
 * @param only the channel of routes that name no other; without it each has to name one
 */
export const parse = (
  json: unknown,
  carriers: ChannelOf | null,
  only: string | null,
  path = "routes"
): Result.Result<ReadonlyMap<string, RouteTable>, RoutesError> =>
  Result.gen(function* () {
    const decoded = decode(json)
    if (Result.isFailure(decoded)) {
      const [issue = { path: "", message: "is not a list of routes" }] = fromSchemaError(decoded.failure)
      return yield* fault(`${path}${issue.path}`, issue.message)
    }
    return yield* read(decoded.success, carriers, only, path)
  })

/** The same of routes that are decoded. */
export const read = (
  routes: ReadonlyArray<DecodedRoute>,
  carriers: ChannelOf | null,
  only: string | null,
  path = "routes"
): Result.Result<ReadonlyMap<string, RouteTable>, RoutesError> =>
  Result.gen(function* () {
    const tables = new Map<string, Map<string, Route>>()
    for (const [index, input] of routes.entries()) {
      const at = `${path}[${index}]`
      const channel = yield* channelOf(input.channel, only, `${at}.channel`)
      const route = yield* routeOf(input, channel, carriers, at)
      const ofChannel = tables.get(channel) ?? new Map<string, Route>()
      if (ofChannel.has(route.to)) {
        return yield* fault(`${at}.to`, `is the prefix of another route of ${channel}: put their carriers into one`)
      }
      tables.set(channel, ofChannel.set(route.to, route))
    }
    return new Map([...tables].map(([channel, routes]) => [channel, Prefixes.make(routes)]))
  })

/** The one route of carriers without routes: all of them, in their order. */
export const inOrder = (carriers: ReadonlyArray<string>): RouteTable =>
  Prefixes.make(
    new Map([
      [
        Prefixes.OTHERS,
        {
          to: Prefixes.OTHERS,
          via: carriers.map((carrier) => ({ carrier, weight: 1 })),
          choose: "order",
          maxCost: null,
          terms: noTerms
        }
      ]
    ])
  )

const decode = Schema.decodeUnknownResult(Schema.Array(RouteInput), { onExcessProperty: "error" })

/** The channels that carriers may be of. */
const CHANNELS = ["sms", "call"]

const channelOf = (given: string | undefined, only: string | null, path: string) => {
  const channel = given ?? only
  const known = only === null ? CHANNELS : [only]
  if (channel === null) return fault(path, `is required: ${CHANNELS.join(" or ")}`)
  return known.includes(channel) ? Result.succeed(channel) : fault(path, `must be ${known.join(" or ")}`)
}

const routeOf = (
  input: DecodedRoute,
  channel: string,
  carriers: ChannelOf | null,
  at: string
): Result.Result<Route, RoutesError> =>
  Result.gen(function* () {
    const { choose = "order", max_cost, sender = null, tlvs = null, ttl = null } = input
    const to = Prefixes.parse(input.to)
    if (to === undefined) return yield* fault(`${at}.to`, Prefixes.MUST)
    const via: Array<{ readonly carrier: string; readonly weight: number }> = []
    for (const [index, each] of input.via.entries()) {
      const { carrier, weight = 1 } = typeof each === "string" ? { carrier: each } : each
      const path = `${at}.via[${index}]${typeof each === "string" ? "" : ".carrier"}`
      if (carriers !== null) yield* known(carrier, channel, carriers, path)
      if (via.some((other) => other.carrier === carrier)) return yield* fault(path, "is named twice in the route")
      if (weight < 0) return yield* fault(`${at}.via[${index}].weight`, "must be 0 or more")
      via.push({ carrier, weight })
    }
    if (via.length === 0) return yield* fault(`${at}.via`, "must name a carrier")
    if (via.every(({ weight }) => weight === 0)) return yield* fault(`${at}.via`, "must have a weight above 0")
    if (channel !== "sms") {
      const field = sender !== null ? "sender" : tlvs !== null ? "tlvs" : ttl !== null ? "ttl" : null
      if (field !== null) return yield* fault(`${at}.${field}`, "is only for texts: leave it out")
    }
    const maxCost = max_cost === undefined ? null : yield* amount(max_cost, `${at}.max_cost`)
    return { to, via, choose, maxCost, terms: { sender, ttl, tlvs } }
  })

const known = (carrier: string, channel: string, carriers: ChannelOf, path: string) => {
  const its = carriers.get(carrier)
  if (its === channel) return Result.succeed(carrier)
  const names = [...carriers].flatMap(([name, of]) => (of === channel ? [name] : []))
  const use = names.length === 0 ? `add one of ${channel}` : `use ${names.join(", ")}`
  return its === undefined
    ? fault(path, `names ${JSON.stringify(carrier)}, which is not among the carriers: ${use}`)
    : fault(path, `names ${carrier}, a carrier of ${its} and not of ${channel}: ${use}`)
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/** Whether a text can be the name of a carrier, which begins its message ids in records. */
export const isCarrierName = (name: string): boolean => NAME.test(name)

export const CARRIER_NAME_MUST = "must have a name of 1 to 32 small letters, digits, - and _"
