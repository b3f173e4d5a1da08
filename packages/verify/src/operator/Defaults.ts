/**
 * Defaults of an account's verifications: the name in texts, the language, and the workflow of clients that name none.
 */
import { Locale } from "@watchword/schemas/BusinessChat"
import { BadRequest, type NotFound } from "@watchword/schemas/Errors"
import type { AccountId } from "@watchword/schemas/Ids"
import { badRequest } from "@watchword/schemas/Issues"
import { Name } from "@watchword/schemas/Verification"
import type { Setting } from "@watchword/settings/Setting"
import { Settings } from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Template from "../Template.ts"
import { Brand, brand, defaultLocale, defaultWorkflow, workflows } from "../VerifySettings.ts"
import * as Templates from "./Templates.ts"

/** Null where the installation's default holds. */
export interface Defaults {
  /** The name in texts, of at most 20 characters. */
  readonly brand: string | null
  /** The language of texts for clients that name none, as a BCP 47 tag. */
  readonly locale: string | null
  /** The name of a workflow of the account. */
  readonly workflow: string | null
}

const INVALID = "The defaults are not valid."

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    brand: Schema.optionalKey(Schema.NullOr(Brand)),
    locale: Schema.optionalKey(Schema.NullOr(Locale)),
    workflow: Schema.optionalKey(Schema.NullOr(Name))
  }),
  { errors: "all" }
)

export const get = Effect.fnUntraced(function* (account: AccountId): Effect.fn.Return<Defaults, StoreError, Settings> {
  const settings = yield* Settings
  return {
    brand: Option.getOrNull(yield* settings.get(account, brand)),
    locale: Option.getOrNull(yield* settings.get(account, defaultLocale)),
    workflow: Option.getOrNull(yield* settings.get(account, defaultWorkflow))
  }
})

/** Sets those that are given, takes away those that are null, and leaves the others. Nothing changes where one is wrong. */
export const set = Effect.fnUntraced(function* (
  account: AccountId,
  wanted: Partial<Defaults>
): Effect.fn.Return<Defaults, BadRequest | NotFound | StoreError, Settings> {
  const given = yield* Effect.mapError(decode(wanted), (error) => badRequest(error, INVALID))
  const issues = [...(yield* brandIssues(account, given.brand)), ...(yield* workflowIssues(account, given.workflow))]
  if (issues.length > 0) return yield* new BadRequest({ message: INVALID, issues })
  const locale = given.locale == null ? given.locale : Template.canonical(given.locale)
  yield* change(account, brand, given.brand)
  yield* change(account, defaultLocale, locale)
  yield* change(account, defaultWorkflow, given.workflow)
  return yield* get(account)
})

const change = Effect.fnUntraced(function* <A>(
  account: AccountId,
  setting: Setting<A>,
  value: string | null | undefined
) {
  const settings = yield* Settings
  if (value === null) yield* settings.remove(account, setting)
  else if (value !== undefined) yield* settings.set(account, setting, value)
})

/** A brand must not make a text longer than one SMS, as letters do that GSM 7-bit does not have. */
const brandIssues = Effect.fnUntraced(function* (account: AccountId, name: string | null | undefined) {
  if (name == null) return []
  const all = [...Template.builtIn, ...(yield* Templates.list(null)), ...(yield* Templates.list(account))]
  const longer = all.find(({ text }) => !Template.fitsOneSms(text, name))
  return longer === undefined
    ? []
    : [{ path: "brand", message: `makes the template ${longer.name} in ${longer.locale} longer than one SMS` }]
})

const workflowIssues = Effect.fnUntraced(function* (account: AccountId, name: string | null | undefined) {
  if (name == null) return []
  const known = yield* Settings.use((settings) => settings.get(account, workflows.of(name)))
  return Option.isSome(known) ? [] : [{ path: "workflow", message: "must be the name of a workflow of the account" }]
})
