/**
 * Templates that operators set: of an account, or of the installation for all accounts. An account's own goes before the
 * installation's, and that before the one that comes with Watchword.
 */
import { BadRequest, NotFound } from "@watchword/schemas/Errors"
import { type Owner, Settings } from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Template from "../Template.ts"
import { brand, templateKey, templates, templatesOf } from "../VerifySettings.ts"

/** The templates of an account, or with null of the installation, by name and locale. */
export const list = (owner: Owner): Effect.Effect<ReadonlyArray<Template.Template>, StoreError, Settings> =>
  Settings.use((settings) => Effect.map(settings.all(owner, templates), templatesOf))

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
