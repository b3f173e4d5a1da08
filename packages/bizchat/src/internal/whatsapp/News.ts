/**
 * What WhatsApp says of the templates, the numbers and the account that messages are sent with: a template that is
 * paused sends no code any more, and a low quality comes before that.
 *
 * Source: the Cloud API, "Webhooks: message_template_status_update" (updated 2026-04-13),
 * "message_template_quality_update", "phone_number_quality_update", "account_update".
 */
import type { Notice } from "@watchword/send/gateway"
import * as Predicate from "effect/Predicate"

/** How it stands: `bad` sends nothing, `warn` may soon, `good` cancels earlier news. */
export type Standing = "bad" | "warn" | "good"

export interface News {
  readonly _tag: "Template" | "Number" | "Account"
  /** Of a template; null for others. */
  readonly name: string | null
  readonly language: string | null
  /** The subject of the news: later news on the same aspect replaces it. */
  readonly aspect: "status" | "quality"
  /** The platform's own word. */
  readonly word: string
  readonly standing: Standing
}

export type OtherKind = keyof typeof fields

export interface Other {
  readonly _tag: "Other"
  readonly kind: OtherKind
  readonly word: string
}

const fields = {
  message_template_status_update: {
    about: "Template",
    aspect: "status",
    key: "event",
    bad: ["PAUSED", "DISABLED", "REJECTED", "LOCKED", "ARCHIVED", "DELETED", "PENDING_DELETION", "LIMIT_EXCEEDED"],
    warn: ["FLAGGED", "PENDING", "IN_APPEAL"],
    good: ["APPROVED", "REINSTATED", "UNPAUSED", "UNLOCKED", "UNARCHIVED"]
  },
  message_template_quality_update: {
    about: "Template",
    aspect: "quality",
    key: "new_quality_score",
    bad: ["RED"],
    warn: ["YELLOW"],
    good: ["GREEN", "UNKNOWN"]
  },
  phone_number_quality_update: {
    about: "Number",
    aspect: "quality",
    key: "event",
    bad: [],
    warn: ["FLAGGED", "DOWNGRADE"],
    good: ["UNFLAGGED", "UPGRADE", "ONBOARDING", "THROUGHPUT_UPGRADE"]
  },
  account_update: {
    about: "Account",
    aspect: "status",
    key: "event",
    bad: ["DISABLED_UPDATE", "ACCOUNT_DELETED", "ACCOUNT_RESTRICTION", "ACCOUNT_VIOLATION"],
    warn: [],
    good: ["VERIFIED_ACCOUNT"]
  }
} as const satisfies Readonly<
  Record<string, Pick<News, "aspect"> & { readonly about: News["_tag"]; readonly key: string } & Words>
>

type Words = Readonly<Record<Standing, ReadonlyArray<string>>>

const standings: ReadonlyArray<Standing> = ["bad", "warn", "good"]

/** The news in a change of a field; null if the field has no news. */
export const read = (field: string, value: unknown): News | Other | null => {
  if (!isField(field)) return null
  const { about, aspect, key, ...words } = fields[field]
  const word = textAt(value, key)?.toUpperCase() ?? "no word"
  const lists: Words = words
  const standing = standings.find((each) => lists[each].includes(word))
  return standing === undefined
    ? { _tag: "Other", kind: field, word }
    : {
        _tag: about,
        name: textAt(value, "message_template_name"),
        language: textAt(value, "message_template_language"),
        aspect,
        word,
        standing
      }
}

const isField = (field: string): field is OtherKind => Object.hasOwn(fields, field)

const textAt = (value: unknown, key: string): string | null => {
  const text = Predicate.hasProperty(value, key) ? value[key] : undefined
  return typeof text === "string" && text !== "" ? text : null
}

/** How an operator learns of it; null if it is about a template that this service does not send by. */
export const noticeOf = (news: News, template: string | null): Notice | null => {
  const { _tag, aspect, language, name, standing, word } = news
  if (_tag === "Template" && (template === null || name !== template)) return null
  const what = _tag === "Template" ? `the template ${template}${languageOf(language)}` : `the ${_tag.toLowerCase()}`
  const text = `WhatsApp says ${word} of ${what}: ${standing === "bad" ? "codes cannot be sent with it" : "check it before codes stop arriving"}.`
  return {
    about: `whatsapp ${what} ${aspect}`,
    text: standing === "good" ? null : text,
    severity: standing === "bad" ? "bad" : "warn",
    // No later news cancels news about an account.
    lasts: _tag === "Account" ? DAY : null
  }
}

/** In milliseconds. */
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** The notice that messages of a template are held back, for as long as the last one may be. */
export const held = (template: string): Notice => ({
  about: `whatsapp the template ${template} held`,
  text: `WhatsApp holds messages of the template ${template} back until it has assessed their quality.`,
  severity: "bad",
  lasts: HOUR
})

const languageOf = (language: string | null): string =>
  language !== null && /^[A-Za-z_-]{1,15}$/.test(language) ? ` (${language})` : ""
