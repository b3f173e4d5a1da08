/**
 * Templates that operators set: of an account, or of the installation for all accounts. An account's own template
 * precedes the installation's, which precedes Watchword's built-in one.
 */
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import type { Setting } from "@watchword/store/Setting"
import { type Owner, Settings } from "@watchword/store/Settings"
import { type EncodedText, encode } from "@watchword/sms/EncodedText"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Template from "./Template.ts"
import { DEFAULT_BRAND } from "../internal/VerifyOptions.ts"
import { brandOf } from "../internal/brandOf.ts"
import { brand, defaultLocale, templateKey, templates, templatesOf } from "../internal/VerifySettings.ts"

/** The templates of an account, or with null of the installation, by name and locale. */
export const list = (owner: Owner): Effect.Effect<ReadonlyArray<Template.Template>, StoreError, Settings> =>
  Settings.use((settings) => Effect.map(settings.all(owner, templates), templatesOf))

/** The template of an owner itself; null if it has no template with this name and locale. */
export const find = (
  owner: Owner,
  { locale, name }: Pick<Template.Template, "name" | "locale">
): Effect.Effect<Template.Template | null, StoreError, Settings> => {
  const wanted = Template.canonical(locale) ?? locale
  return Effect.map(list(owner), (all) => all.find((each) => each.name === name && each.locale === wanted) ?? null)
}

/** Sets a template, or changes its text. Verifications that are pending send the new text from then on. */
export const set = Effect.fnUntraced(function* (
  owner: Owner,
  { locale, name, text }: Template.Template
): Effect.fn.Return<Template.Template, BadRequest | NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const own = Option.getOrUndefined(yield* settings.get(owner, brand))
  const made = Template.make(name, locale, text, own)
  if (Result.isFailure(made)) {
    const { field, message } = made.failure
    return yield* new BadRequest({ message: "The template is not valid.", issues: [{ path: field, message }] })
  }
  yield* settings.set(owner, templates.of(templateKey(made.success)), text)
  return made.success
})

/** Takes a template away. */
export const remove = Effect.fnUntraced(function* (
  owner: Owner,
  { locale, name }: Pick<Template.Template, "name" | "locale">
): Effect.fn.Return<void, NotFound | StoreError, Settings> {
  const settings = yield* Settings
  const key = templateKey({ name, locale: Template.canonical(locale) ?? locale })
  if (!(yield* settings.remove(owner, templates.of(key)))) {
    return yield* new NotFound({ message: "There is no such template." })
  }
})

/** A text as a phone would show it. */
export interface Preview {
  readonly template: Template.Template
  /** Whose template it is: the account's, the installation's, or Watchword's built-in one. */
  readonly source: "account" | "installation" | "built-in"
  /** The name in the text; null if it is Watchword for lack of another. */
  readonly brand: string | null
  /** The text with a code of six digits, and the names of its own places. */
  readonly example: string
  readonly encoding: EncodedText["encoding"]
}

/**
 * The text that verifications of an account send in a language: by the closest locale, then by the account's, then in
 * English.
 */
export const preview = Effect.fnUntraced(function* (
  owner: Owner,
  { locale, name }: Pick<Template.Template, "name" | "locale">
): Effect.fn.Return<Preview, NotFound | StoreError, Settings | Store> {
  const sources = [
    { source: "built-in", templates: Template.builtIn },
    { source: "installation", templates: yield* list(null) },
    { source: "account", templates: owner === null ? [] : yield* list(owner) }
  ] as const
  const all = sources.flatMap((each): ReadonlyArray<Template.Template> => each.templates)
  const wanted = Template.canonical(locale) ?? locale
  const own = yield* settingOf(owner, defaultLocale)
  const template = Template.find(all, name, own === undefined ? [wanted] : [wanted, own])
  const source = sources.find(({ templates }) => templates.some((each) => each === template))?.source
  if (template === undefined || source === undefined)
    return yield* new NotFound({ message: "There is no such template." })
  const set = sources.flatMap((each) => (each.source === "built-in" ? [] : each.templates))
  const known = (yield* settingOf(owner, brand)) ?? brandOf(yield* nameOf(owner), set)
  const example = Template.example(template, known ?? DEFAULT_BRAND)
  return { template, source, brand: known, example, encoding: encode(example).encoding }
})

/** The name of an account, empty for the installation. */
const nameOf = Effect.fnUntraced(function* (owner: Owner) {
  if (owner === null) return ""
  const found = yield* Store.use((store) => store.account(owner))
  return Option.match(found, { onNone: () => "", onSome: ({ account }) => account.name })
})

/** A setting of an account, or else of the installation. */
const settingOf = Effect.fnUntraced(function* <A>(owner: Owner, setting: Setting<A>) {
  const settings = yield* Settings
  const own = yield* settings.get(owner, setting)
  return Option.getOrUndefined(Option.isSome(own) || owner === null ? own : yield* settings.get(null, setting))
})
