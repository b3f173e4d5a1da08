/**
 * Defaults of verifications: the name in texts, the language, and the workflow of clients that name none. An account's
 * own defaults precede the installation's, which apply to all accounts.
 */
import { Locale } from "@watchword/schemas/Bizchat"
import { BadRequest, type NotFound, badRequest } from "@watchword/schemas/Errors"
import { Name } from "@watchword/schemas/Verification"
import type { Setting } from "@watchword/store/Setting"
import { type Owner, Settings } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Template from "./Template.ts"
import { Brand, brand, defaultLocale, defaultWorkflow, workflows } from "../internal/VerifySettings.ts"
import * as Templates from "./Templates.ts"

/** Null if that of the installation holds, or of the service. */
export interface Defaults {
  /** The name in texts, of at most 20 characters. */
  readonly brand: string | null
  /** The language of texts for clients that name none, as a BCP 47 tag. */
  readonly locale: string | null
  /** The name of a workflow, of the account or of the installation. */
  readonly workflow: string | null
}

const INVALID = "The defaults are not valid."

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    brand: Schema.optionalKey(Schema.NullOr(Brand)),
    locale: Schema.optionalKey(Schema.NullOr(Locale)),
    workflow: Schema.optionalKey(Schema.NullOr(Name))
  }),
  { errors: "all", onExcessProperty: "error" }
)

export const get = Effect.fnUntraced(function* (owner: Owner): Effect.fn.Return<Defaults, StoreError, Settings> {
  const settings = yield* Settings
  return {
    brand: Option.getOrNull(yield* settings.get(owner, brand)),
    locale: Option.getOrNull(yield* settings.get(owner, defaultLocale)),
    workflow: Option.getOrNull(yield* settings.get(owner, defaultWorkflow))
  }
})

/**
 * Sets the given defaults, removes those given as null, and leaves the others. Nothing changes where one is wrong.
 */
export const set = Effect.fnUntraced(function* (
  owner: Owner,
  wanted: Partial<Defaults>
): Effect.fn.Return<Defaults, BadRequest | NotFound | StoreError, Settings> {
  const given = yield* Effect.mapError(decode(wanted), (error) => badRequest(error, INVALID))
  const issues = [...(yield* brandIssues(owner, given.brand)), ...(yield* workflowIssues(owner, given.workflow))]
  if (issues.length > 0) return yield* new BadRequest({ message: INVALID, issues })
  const locale = given.locale == null ? given.locale : Template.canonical(given.locale)
  yield* change(owner, brand, given.brand)
  yield* change(owner, defaultLocale, locale)
  yield* change(owner, defaultWorkflow, given.workflow)
  return yield* get(owner)
})

const change = Effect.fnUntraced(function* <A>(owner: Owner, setting: Setting<A>, value: string | null | undefined) {
  const settings = yield* Settings
  if (value === null) yield* settings.remove(owner, setting)
  else if (value !== undefined) yield* settings.set(owner, setting, value)
})

/** A brand must not make a text longer than one SMS, as letters do that GSM 7-bit does not have. */
const brandIssues = Effect.fnUntraced(function* (owner: Owner, name: string | null | undefined) {
  if (name == null) return []
  const all = [...Template.builtIn, ...(yield* Templates.list(null)), ...(yield* Templates.list(owner))]
  const longer = all.find(({ text }) => !Template.fitsOneSms(text, name))
  return longer === undefined
    ? []
    : [{ path: "brand", message: `makes the template ${longer.name} in ${longer.locale} longer than one SMS` }]
})

const workflowIssues = Effect.fnUntraced(function* (owner: Owner, name: string | null | undefined) {
  if (name == null) return []
  const settings = yield* Settings
  for (const each of [owner, null]) if (Option.isSome(yield* settings.get(each, workflows.of(name)))) return []
  return [{ path: "workflow", message: "must be the name of a workflow that is set" }]
})
