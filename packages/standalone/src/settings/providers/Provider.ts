/**
 * Providers of SMS with an HTTP API, as settings name them: each is one value, from the variables of the environment
 * and from the file of carriers alike. `npm run contract` writes `List.ts`, which has them all.
 */
import { fromSchemaError } from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { type RoutesError, fault } from "@watchword/send/routes"
import type { SmsGateway } from "@watchword/sms/SmsGateway"
import type { CommonOptions, SmsHttpOptionsError } from "@watchword/sms/http"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Environment, type Parse, type Read, token } from "../Reading.ts"
import { type Named, type Setting, optionalSetting } from "../Setting.ts"

/** The layer of a provider's gateway. */
export type Gateway = Layer.Layer<SmsGateway, SmsHttpOptionsError>

/** A provider with options that were read. */
export interface SmsHttp {
  /** The provider's name, such as `twilio`. */
  readonly provider: string
  /** The options that the gateway reads for each message: a reload replaces its properties. */
  readonly options: CommonOptions
  /** The variable of an option; null for an option without a variable, such as a field of a description. */
  readonly variableOf: (option: string) => string | null
  /** Whether receipts are refused, because the secret that signs them, `signatureSecret`, is left out. */
  readonly isUnsigned: () => boolean
  readonly open: () => Promise<Gateway>
  /** The same, whose receipts are posted to an address; undefined for none. */
  readonly calledBack: (callbackUrl: string | undefined) => SmsHttp
  /** The same, which also brings the texts that users write to these numbers. */
  readonly receiving: (numbers: ReadonlyArray<E164>) => SmsHttp
}

export interface Provider {
  readonly name: string
  readonly settings: ReadonlyArray<Named>
  readonly ofEnvironment: (environment: Environment, common: CommonOptions) => Read<SmsHttp>
  /** @param json the options in the file of carriers, with its secrets */
  readonly ofJson: (json: unknown, path: string) => Result.Result<SmsHttp, RoutesError>
}

interface Parts<O extends object, J> {
  readonly name: string
  readonly settings: Readonly<Record<string, Named>>
  /** Options that are not called as their settings are here, by these names. */
  readonly variables?: Readonly<Record<string, string>>
  readonly ofEnvironment: (environment: Environment) => Read<O>
  readonly json: Schema.Codec<J, unknown>
  readonly ofJson: (json: J, path: string) => Result.Result<O & CommonOptions, RoutesError>
  readonly open: (options: O & CommonOptions) => Promise<Gateway>
  /** Never unless given. */
  readonly isUnsigned?: (options: O & CommonOptions) => boolean
}

export const make = <O extends object, J>(parts: Parts<O, J>): Provider => {
  const variables = new Map([
    ...Object.entries(parts.settings).map(([option, { name }]) => [option, name] as const),
    ...Object.entries(parts.variables ?? {}),
    ["receives", RECEIVES] as const
  ])
  const using = (options: O & CommonOptions): SmsHttp => ({
    provider: parts.name,
    options,
    variableOf: (option) => variables.get(option) ?? null,
    isUnsigned: () => parts.isUnsigned?.(options) ?? false,
    open: () => parts.open(options),
    calledBack: (callbackUrl) => using({ ...options, callbackUrl }),
    receiving: (receives) => using({ ...options, receives })
  })
  const decode = Schema.decodeUnknownResult(parts.json, { onExcessProperty: "error" })
  return {
    name: parts.name,
    settings: Object.values(parts.settings),
    ofEnvironment: (environment, common) =>
      Result.map(parts.ofEnvironment(environment), (own) => using({ ...common, ...own })),
    ofJson: (json, path) =>
      Result.gen(function* () {
        const decoded = yield* Result.mapError(decode(json), (error) => unreadable(error, path))
        return using(yield* parts.ofJson(decoded, path))
      })
  }
}

const unreadable = (error: Schema.SchemaError, path: string): RoutesError => {
  const [issue = { path: "", message: "cannot be read" }] = fromSchemaError(error)
  return Result.getOrThrow(Result.flip(fault(issue.path === "" ? path : `${path}.${issue.path}`, issue.message)))
}

/** The setting that names the provider. */
export const PROVIDER = "SMS_HTTP_PROVIDER"

/** The setting of its numbers that users write to. */
export const RECEIVES = "SMS_HTTP_RECEIVES"

/** A setting of a provider. */
export const optional = <A>(name: string, parse: Parse<A>, more: Omit<Named, "name" | "usual">): Setting<A> =>
  optionalSetting(name, parse, { ...more, needs: [PROVIDER, ...(more.needs ?? [])] })

/** A secret of a provider, which SIGHUP reads again. */
export const secret = (name: string, description: string, needs: ReadonlyArray<string> = []) =>
  optional(name, token, { description, isSecret: true, reloads: "smsHttp", needs })

/** Options of every provider in the file of carriers. */
export const common = { baseUrl: Schema.optionalKey(Schema.String), rate: Schema.optionalKey(Schema.Finite) }

/** A secret in the file of carriers. */
export const Secret = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/, { message: "must be a text without spaces" }))
)
