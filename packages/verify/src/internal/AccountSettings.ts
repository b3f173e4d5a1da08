/**
 * The settings of an account's verifications: its own settings, then the installation's, then the options of the
 * service; for the name in texts also the account's name.
 */
import { parseTime } from "@watchword/pagination/Fields"
import { Settings, type Values } from "@watchword/store/Settings"
import type { Setting } from "@watchword/store/Setting"
import type { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Step } from "@watchword/schemas/Verification"
import { type InstallationSecret, makeSeals } from "@watchword/send/pipeline"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Template from "../operator/Template.ts"
import { DEFAULT_BRAND, Options } from "./VerifyOptions.ts"
import * as VerifySettings from "./VerifySettings.ts"
import { brandOf } from "./brandOf.ts"
import * as TestCodes from "./TestCodes.ts"

/** The settings from which texts are composed. */
export interface TextSettings {
  readonly brand: string
  /** The language of the account. */
  readonly locale: string
  /** Of two with the same name and locale the later one counts. */
  readonly templates: ReadonlyArray<Template.Template>
}

/** The settings of an account. Settings that are not read need not be readable. */
export interface AccountSettings {
  /** @param name of the account */
  readonly texts: (name: string) => Effect.Effect<TextSettings, StoreError>
  /** A workflow by its name, or the account's default; null if it does not exist. */
  readonly workflow: (name: string | null) => Effect.Effect<ReadonlyArray<Step> | null, StoreError>
  /** Whether starts of the account may have texts of their own. */
  readonly ownTexts: Effect.Effect<boolean, StoreError>
  /** The code of a test number; null if the number is not a test number at that time. */
  readonly testCode: (
    account: AccountId,
    to: E164,
    at: number
  ) => Effect.Effect<string | null, ServiceUnavailable | StoreError>
}

/** The settings of an account as they are now. */
export type AllSettings = (account: AccountId) => Effect.Effect<AccountSettings, StoreError>

export const make: Effect.Effect<AllSettings, never, InstallationSecret | Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const options = yield* Options
  const seals = yield* makeSeals

  const settingsOf = (own: Values, common: Values): AccountSettings => {
    /** A setting of the account, or else of the installation. */
    const get = <A>(setting: Setting<A>): Result.Result<A | undefined, StoreError> =>
      Result.flatMap(own.get(setting), (value) => (value === undefined ? common.get(setting) : Result.succeed(value)))

    const textsFor = (name: string): Result.Result<TextSettings, StoreError> =>
      Result.gen(function* () {
        const { brand, locale = Template.FALLBACK, templates = [] } = options
        const installed = VerifySettings.templatesOf(yield* common.all(VerifySettings.templates))
        const set = [
          ...templates,
          ...installed,
          ...VerifySettings.templatesOf(yield* own.all(VerifySettings.templates))
        ]
        return {
          brand: (yield* get(VerifySettings.brand)) ?? brand ?? brandOf(name, set) ?? DEFAULT_BRAND,
          locale: (yield* get(VerifySettings.defaultLocale)) ?? locale,
          templates: [...Template.builtIn, ...set]
        }
      })

    const workflowFor = (given: string | null): Result.Result<ReadonlyArray<Step> | null, StoreError> =>
      Result.gen(function* () {
        const name = given ?? (yield* get(VerifySettings.defaultWorkflow))
        const named = name === undefined ? undefined : yield* get(VerifySettings.workflows.of(name))
        return named ?? (given === null ? (options.workflow ?? null) : null)
      })

    return {
      texts: lastOf(textsFor),
      workflow: lastOf(workflowFor),
      ownTexts: Effect.suspend(() =>
        Effect.fromResult(Result.map(own.get(VerifySettings.ownTexts), (texts) => texts === "own"))
      ),
      testCode: (account, to, at) => {
        const found = Result.map(own.get(VerifySettings.testNumbers.of(to)), (number) =>
          number !== undefined && Option.exists(parseTime(number.until), (end) => at < end) ? number : null
        )
        if (Result.isFailure(found)) return Effect.fail(found.failure)
        return found.success === null ? Effect.succeed(null) : TestCodes.opened(seals, account, to, found.success)
      }
    }
  }

  const profile = settings.profile((own, common) => Result.succeed(settingsOf(own, common)))
  return (account) => Effect.flatMap(Clock.currentTimeMillis, (now) => profile(account, now))
})

/** Caches the last result: an account has one name, and its clients use one workflow. */
const lastOf = <P, A>(f: (parameter: P) => Result.Result<A, StoreError>) => {
  let last: { readonly parameter: P; readonly made: Effect.Effect<A, StoreError> } | null = null
  return (parameter: P): Effect.Effect<A, StoreError> => {
    if (last === null || last.parameter !== parameter) last = { parameter, made: Effect.fromResult(f(parameter)) }
    return last.made
  }
}
