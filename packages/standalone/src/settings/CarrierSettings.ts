/**
 * The setting of carriers: a JSON file with carriers by name, their costs, and routes over them.
 */
import type * as Sip from "@watchword/call/options"
import { webhookPath } from "@watchword/send/channel/Channel"
import { type RouteTable, type RoutesError, fault as faultAt, parseRoutes, routesInOrder } from "@watchword/send/routes"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { reachable } from "./ChatgwSettings.ts"
import { call, readInbound } from "./CallSettings.ts"
import * as CarrierEntry from "./CarrierEntry.ts"
import { type Environment, type Parse, type Read, type SettingError, fault, fileText, jsonFile } from "./Reading.ts"
import * as RateSettings from "./RateSettings.ts"
import type { Rates } from "./RateSettings.ts"
import { type Named, isSet, optionalSetting, readOptional } from "./Setting.ts"
import { sms } from "./SmsSettings.ts"

export interface Carriers {
  readonly file: string
  readonly carriers: ReadonlyArray<CarrierEntry.Carrier>
  /** By channel. */
  readonly routes: ReadonlyMap<string, RouteTable>
  /** For costs in other currencies. */
  readonly rates: Rates
}

const carriersFile: Parse<Carriers> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(read(file, json), ({ fix, path }) => locate(file, path, fix))
  )

export const carriers = {
  file: optionalSetting("CARRIERS", carriersFile, {
    description:
      "path of a JSON file with [carriers by name, their costs and routes](../routes.md), instead of `SMPP_URL`, " +
      "`SMS_HTTP_PROVIDER` and `SIP_URL`",
    isFile: true,
    reloads: "carriers"
  })
}

/** @param baseUrl how providers reach the interface */
export const readCarriers = (environment: Environment, baseUrl: string): Read<Option.Option<Carriers>> =>
  Result.gen(function* () {
    const read = yield* readOptional(environment, carriers.file)
    if (Option.isNone(read)) return Option.none()
    const excluded: Readonly<Record<CarrierEntry.Carrier["channel"], ReadonlyArray<Named>>> = {
      sms: [sms.carriers, sms.provider],
      call: [call.trunks]
    }
    for (const { name } of read.value.carriers.flatMap(({ channel }) => excluded[channel])) {
      if (!isSet(environment, name)) continue
      return yield* Result.fail(
        fault(name, `must not be set together with ${carriers.file.name}: put it into the file`)
      )
    }
    const rates = Option.getOrElse(yield* readOptional(environment, RateSettings.rates.file), (): Rates => new Map())
    const inbound = yield* readInbound(environment)
    const all: Array<CarrierEntry.Carrier> = []
    for (const carrier of read.value.carriers) {
      all.push(reached(calledBack(yield* inEuros(read.value, carrier, rates), baseUrl), inbound))
    }
    return Option.some({ ...read.value, carriers: all, rates })
  })

/** A carrier whose costs are in EUR. */
const inEuros = ({ file }: Carriers, carrier: CarrierEntry.Carrier, rates: Rates): Read<CarrierEntry.Carrier> => {
  const { costs, currency, name } = carrier
  if (costs === null || currency === "EUR") return Result.succeed(carrier)
  if (RateSettings.rateNow(rates, currency) !== null) {
    return Result.succeed({ ...carrier, costs: new RateSettings.Converted(costs, rates, currency) })
  }
  const fix = `is ${currency}, and RATES has no rate of it for today or before: put one into its file`
  return Result.fail(unusable({ file })({ path: `carriers.${name}.currency`, fix }))
}

/** A carrier whose provider posts receipts to the service. */
const calledBack = (carrier: CarrierEntry.Carrier, baseUrl: string): CarrierEntry.Carrier => {
  if (carrier.channel !== "sms" || carrier.by._tag !== "Http") return carrier
  const { http } = carrier.by
  const isReachable = reachable(baseUrl, Option.fromUndefinedOr(http.options.baseUrl))
  const callbackUrl = isReachable ? `${baseUrl}${webhookPath({ name: "sms" })}` : undefined
  return { ...carrier, by: { _tag: "Http", http: http.calledBack(callbackUrl) } }
}

/** A carrier of calls with what all have in common for calls to us. */
const reached = (
  carrier: CarrierEntry.Carrier,
  inbound: Pick<Sip.Options, "certificate" | "identity">
): CarrierEntry.Carrier =>
  carrier.channel === "call"
    ? { ...carrier, by: { ...carrier.by, options: { ...carrier.by.options, ...inbound } } }
    : carrier

/** The sentence of carriers that cannot be used. */
export const unusable =
  ({ file }: Pick<Carriers, "file">) =>
  ({ fix, path }: Pick<RoutesError, "fix" | "path">): SettingError =>
    fault(carriers.file.name, locate(file, path, fix))

const locate = (file: string, path: string, fix: string): string => `names the file ${file}, in which ${path} ${fix}`

/** The content that a digest of the file covers: its own, and that of the files that it names. */
export const contentOf = (file: string): string | null => {
  const content = Result.getOrElse(fileText(file), () => null)
  if (content === null) return null
  const json = Result.getOrElse(jsonFile(file), () => null)
  return [content, ...filesIn(json).map((name) => Result.getOrElse(fileText(name), () => ""))].join("\0")
}

const filesIn = (json: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(json)) return []
  const named = Predicate.hasProperty(json, "file") && typeof json.file === "string" ? [json.file] : []
  return [...named, ...Object.values(json).flatMap(filesIn)]
}

type Parsed<A> = Result.Result<A, RoutesError>

const read = (file: string, json: unknown): Parsed<Carriers> =>
  Result.gen(function* () {
    const fields = yield* CarrierEntry.objectAt(json, "the file", ["carriers", "routes"])
    const entries = Object.entries(yield* CarrierEntry.objectAt(fields["carriers"], "carriers", null))
    if (entries.length === 0) return yield* faultAt("carriers", "must have a carrier")
    const all: Array<CarrierEntry.Carrier> = []
    for (const [name, entry] of entries) all.push(yield* CarrierEntry.parse(file, name, entry))
    const channels = new Map(all.map(({ channel, name }) => [name, channel]))
    const routes = fields["routes"] === undefined ? usual(all) : yield* parseRoutes(fields["routes"], channels, null)
    return { file, carriers: all, routes, rates: new Map() }
  })

/** Without routes all carriers of a channel take all of its messages, in their order. */
const usual = (all: ReadonlyArray<CarrierEntry.Carrier>): ReadonlyMap<string, RouteTable> =>
  new Map(CHANNELS.map((channel) => [channel, routesInOrder(namesOf(all.filter((each) => each.channel === channel)))]))

const CHANNELS = ["sms", "call"] as const

const namesOf = (all: ReadonlyArray<CarrierEntry.Carrier>) => all.map(({ name }) => name)
