/**
 * What verifications of an account go by: its own settings, then those of the installation, then the options of the
 * service; and for the name in texts the account's own.
 */
import { parseTime } from "@watchword/pagination/Time"
import { Settings } from "@watchword/settings/Settings"
import type { Setting } from "@watchword/settings/Setting"
import type { Account } from "@watchword/schemas/Account"
import type { AccountId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Step } from "@watchword/schemas/Verification"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Template from "../Template.ts"
import { DEFAULT_BRAND, Options } from "../VerifyOptions.ts"
import * as VerifySettings from "../VerifySettings.ts"
import { brandOf } from "./brandOf.ts"

/** What texts are made of. */
export interface TextSettings {
  readonly brand: string
  /** The language of the account. */
  readonly locale: string
  /** Of two with the same name and locale the later one counts. */
  readonly templates: ReadonlyArray<Template.Template>
}

export interface AccountSettings {
  readonly texts: (account: Pick<Account, "id" | "name">) => Effect.Effect<TextSettings, StoreError>
  /** A workflow by its name, or the account's default; null where there is none. */
  readonly workflow: (account: AccountId, name: string | null) => Effect.Effect<ReadonlyArray<Step> | null, StoreError>
  /** The code of a test number; null where the number is none at that time. */
  readonly testCode: (account: AccountId, to: E164, at: number) => Effect.Effect<string | null, StoreError>
}

export const make: Effect.Effect<AccountSettings, never, Settings> = Effect.gen(function* () {
  const settings = yield* Settings
  const options = yield* Options

  /** A setting of the account, or else of the installation. */
  const get = Effect.fnUntraced(function* <A>(account: AccountId, setting: Setting<A>) {
    const own = yield* settings.get(account, setting)
    return Option.getOrUndefined(Option.isSome(own) ? own : yield* settings.get(null, setting))
  })

  const templatesOf = (owner: AccountId | null): Effect.Effect<ReadonlyArray<Template.Template>, StoreError> =>
    Effect.map(settings.all(owner, VerifySettings.templates), VerifySettings.templatesOf)

  const texts: AccountSettings["texts"] = Effect.fnUntraced(function* ({ id, name }) {
    const { brand, locale = Template.FALLBACK, templates = [] } = options
    const set = [...templates, ...(yield* templatesOf(null)), ...(yield* templatesOf(id))]
    return {
      brand: (yield* get(id, VerifySettings.brand)) ?? brand ?? brandOf(name, set) ?? DEFAULT_BRAND,
      locale: (yield* get(id, VerifySettings.defaultLocale)) ?? locale,
      templates: [...Template.builtIn, ...set]
    }
  })

  const workflow: AccountSettings["workflow"] = Effect.fnUntraced(function* (account, given) {
    const name = given ?? (yield* get(account, VerifySettings.defaultWorkflow))
    const named = name === undefined ? undefined : yield* get(account, VerifySettings.workflows.of(name))
    return named ?? (given === null ? (options.workflow ?? null) : null)
  })

  const testCode: AccountSettings["testCode"] = (account, to, at) =>
    Effect.map(
      settings.get(account, VerifySettings.testNumbers.of(to)),
      Option.match({
        onNone: () => null,
        onSome: ({ code, until }) => (Option.exists(parseTime(until), (end) => at < end) ? code : null)
      })
    )

  return { texts, workflow, testCode }
})
