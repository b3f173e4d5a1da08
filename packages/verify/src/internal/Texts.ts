/**
 * Text that carries a code: a template filled in, with the lines that apps and browsers look for.
 */
import { encode } from "@watchword/sms/EncodedText"
import { type BadRequest, invalid } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Template from "../operator/Template.ts"
import type { TextSettings } from "./AccountSettings.ts"
import { LONGEST, append } from "./AutofillLines.ts"
import type { Terms } from "./VerificationRecord.ts"

/** The terms of a start that its texts are made by. */
export type TextTerms = Pick<
  Terms,
  "locale" | "template" | "variables" | "app_hash" | "web_origin" | "own_text" | "bind_amount" | "bind_payee"
>

const encoder = new TextEncoder()

/**
 * Refuses a start whose texts could not be made, or would take more than one SMS with the client's choices: its
 * variables may have letters that the template's author did not think of, and lines for apps take room.
 *
 * @param code one of the length that codes will have
 * @param minutes the most that texts will name
 */
export const check = (
  settings: TextSettings,
  terms: TextTerms,
  code: string,
  minutes: number
): Effect.Effect<void, BadRequest> => {
  const bound = ["amount", "payee"].filter(
    (name) => terms.bind_amount !== undefined && Object.hasOwn(terms.variables, name)
  )
  if (bound[0] !== undefined) return refused(`variables.${bound[0]}`, "must not be set together with bind")
  const template = templateOf(settings, terms)
  if (template === undefined) {
    return refused("template", "is not a template in the language, in the account's language or in English")
  }
  const filled = Template.fill(template, valuesOf(settings, terms, code, minutes))
  if (Result.isFailure(filled))
    return refused("variables", `must have ${filled.failure.missing}, which the template names`)
  const text = ownText(terms, code) ?? filled.success
  const isTooLong = (more: string): boolean => encode(more).parts.length > 1
  if (Object.keys(terms.variables).length > 0 && isTooLong(text)) {
    return refused("variables", "make the text longer than one SMS")
  }
  if (terms.bind_amount !== undefined && terms.own_text === undefined && isTooLong(text)) {
    return refused("bind", "makes the text longer than one SMS")
  }
  if (terms.own_text === undefined && code.length > Template.LONGEST.code && isTooLong(text)) {
    return refused("code_length", "makes the text longer than one SMS")
  }
  if (terms.app_hash !== null) {
    const bytes = encoder.encode(append(text, code, terms)).length
    if (bytes > LONGEST)
      return refused("app_hash", `leaves too little room: apps read texts of at most ${LONGEST} bytes`)
  }
  if (terms.web_origin !== null && terms.own_text === undefined && isTooLong(append(text, code, terms))) {
    return refused("web_origin", "makes the text longer than one SMS")
  }
  return Effect.void
}

/**
 * The text of a send. A template that was taken away since the start, or that names another place now, gives way to
 * Watchword's built-in one.
 *
 * @param minutes that the code is still valid
 */
export const compose = (settings: TextSettings, terms: TextTerms, code: string, minutes: number): string => {
  const values = valuesOf(settings, terms, code, minutes)
  const text =
    ownText(terms, code) ??
    filledWith(templateOf(settings, terms), values) ??
    filledWith(Template.find(Template.builtIn, Template.DEFAULT, localesOf(settings, terms)), values)
  return append(text ?? code, code, terms)
}

const filledWith = (
  template: Template.Template | undefined,
  values: Readonly<Record<string, string>>
): string | undefined => (template === undefined ? undefined : Result.getOrUndefined(Template.fill(template, values)))

const localesOf = ({ locale }: TextSettings, terms: TextTerms): ReadonlyArray<string> =>
  terms.locale === null ? [locale] : [terms.locale, locale]

const templateOf = (settings: TextSettings, terms: TextTerms): Template.Template | undefined =>
  Template.find(settings.templates, terms.template ?? Template.DEFAULT, localesOf(settings, terms))

/** The client's own text with a code in its place; undefined if the text is a template's. */
const ownText = ({ own_text }: TextTerms, code: string): string | undefined => own_text?.replaceAll("{{code}}", code)

/** How many SMS the client's own text takes. */
export const partsOf = (terms: TextTerms, code: string): number =>
  encode(append(ownText(terms, code) ?? code, code, terms)).parts.length

const valuesOf = (
  { brand }: TextSettings,
  { bind_amount, bind_payee, variables }: TextTerms,
  code: string,
  minutes: number
): Readonly<Record<string, string>> => ({
  ...variables,
  ...(bind_amount === undefined ? {} : { amount: bind_amount }),
  ...(bind_payee === undefined ? {} : { payee: bind_payee }),
  brand,
  code,
  minutes: String(minutes)
})

const refused = (path: string, message: string) => Effect.fail(invalid([{ path, message }]))
