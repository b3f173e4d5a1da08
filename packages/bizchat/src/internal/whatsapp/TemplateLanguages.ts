/**
 * Languages of a template: the codes to try for a locale, without codes that the platform refused lately.
 *
 * The platform has a template in some languages, each under a code of its own (`de`, `pt_BR`), and refuses a message in
 * any other. The configured language is always the last that is tried.
 */
import QuickLRU from "quick-lru"

export interface TemplateLanguages {
  /** The codes for a locale, best first; null means only the configured language. */
  readonly of: (locale: string | null, now: number) => ReadonlyArray<string>
  /** Leaves a language out for an hour, because the template is not translated to it. */
  readonly miss: (language: string, now: number) => void
}

/** In milliseconds. A translation that is added later is used after this time. */
const MISSED_FOR = 60 * 60 * 1000
/** How many languages are remembered as missing; locales are the clients' own. */
const CAPACITY = 1000

export const make = (configured: string): TemplateLanguages => {
  const missing = new QuickLRU<string, number>({ maxSize: CAPACITY })
  const isMissing = (language: string, now: number): boolean => now < (missing.get(language) ?? 0)
  return {
    of: (locale, now) => {
      if (locale === null) return [configured]
      const codes = codesOf(locale).filter((code) => code !== configured && !isMissing(code, now))
      const isBest = codesOf(locale)[0] === configured
      return isBest ? [configured] : [...codes, configured]
    },
    miss: (language, now) => {
      missing.set(language, now + MISSED_FOR)
    }
  }
}

/** The platform's codes for a BCP 47 tag, best first: `de-AT` may be `de_AT` or `de`, `pt` may be `pt` or `pt_BR`. */
const codesOf = (locale: string): ReadonlyArray<string> => {
  const tag = new Intl.Locale(locale)
  const { region: likely } = tag.maximize()
  const language = tag.language === "no" ? "nb" : tag.language
  const { region, script } = tag
  const plain = script === undefined ? [language] : []
  const codes = region === undefined ? [...plain, `${language}_${likely}`] : [`${language}_${region}`, ...plain]
  return [...new Set(likely === undefined ? [language] : codes)]
}
