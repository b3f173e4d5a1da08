/**
 * Settings of verifications, which an operator makes for an account or for the installation: workflows, templates, the
 * defaults of both, the name in texts, and test numbers.
 */
import { parseTime } from "@watchword/pagination/Fields"
import * as Setting from "@watchword/store/Setting"
import { Locale } from "@watchword/schemas/Bizchat"
import { Code } from "@watchword/schemas/Chatgw"
import { Name, Steps } from "@watchword/schemas/Verification"
import { Sealed } from "@watchword/send/pipeline"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Template from "../operator/Template.ts"

/** Workflows by name. */
export const workflows = Setting.family({
  prefix: "workflow:",
  title: "workflow",
  most: 20,
  schema: Steps
})

/** Texts of templates by {@link templateKey}. A text is refused here rather than when it is sent. */
export const templates = Setting.family({
  prefix: "template:",
  title: "template",
  most: 200,
  schema: Schema.String.check(Schema.makeFilter((text) => Template.faultOf(text)))
})

/** The key of a template: `login:de-AT`. */
export const templateKey = ({ locale, name }: Pick<Template.Template, "name" | "locale">): string => `${name}:${locale}`

/** Templates of a family. */
export const templatesOf = (texts: ReadonlyMap<string, string>): ReadonlyArray<Template.Template> =>
  [...texts].map(([key, text]) => {
    const [name = "", locale = ""] = key.split(":")
    return { name, locale, text }
  })

/** The name of the workflow of clients that name none. */
export const defaultWorkflow = Setting.make({ name: "default-workflow", title: "default workflow", schema: Name })

/** The language of clients that name none, and of texts that are not there in the reader's. */
export const defaultLocale = Setting.make({ name: "default-locale", title: "default locale", schema: Locale })

/** A name in texts, which has no place in it and no line break. */
export const Brand = Schema.String.check(
  Schema.isPattern(/\S/, { message: "must not be empty" }),
  Schema.isPattern(/^[^{}\p{Cc}\p{Surrogate}]*$/u, { message: "must not have braces or control characters" }),
  Schema.isMaxLength(Template.LONGEST_VALUE, { message: `must have at most ${Template.LONGEST_VALUE} characters` })
)

/** The name in texts. */
export const brand = Setting.make({ name: "brand", title: "brand", schema: Brand })

/** Whether clients may give texts of their own, in which anything could be asked of a user; templates unless set. */
export const ownTexts = Setting.make({ name: "texts", title: "texts of verifications", schema: Schema.Literal("own") })

const Time = Schema.String.check(
  Schema.makeFilter((text) =>
    Option.isSome(parseTime(text))
      ? undefined
      : "must be a date or a time with its zone in ISO 8601, for example 2026-01-31T12:00:00Z"
  )
)

/** A code, as it is or sealed, that is right until a time. */
const TestNumber = Schema.Struct({
  code: Schema.optionalKey(Code),
  sealed: Schema.optionalKey(Sealed),
  until: Time,
  /**
   * When an operator has added it last, in milliseconds since the epoch: its budget of wrong guesses is from then on.
   */
  added: Schema.optionalKey(Schema.Int),
  /** Set once too many wrong codes were entered. */
  locked: Schema.optionalKey(Schema.Literal(true))
})
export type TestNumber = typeof TestNumber.Type

/**
 * Numbers that no gateway is asked for, in E.164 form. Codes are sealed under the installation's secret where there is
 * one.
 */
export const testNumbers = Setting.family({
  prefix: "test-number:",
  title: "test number",
  most: 10,
  schema: TestNumber
})
