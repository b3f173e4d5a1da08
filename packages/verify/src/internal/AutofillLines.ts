/**
 * The last lines of a text, from which a phone offers the code to an app or a web page.
 *
 * Source: WICG, Origin-bound one-time codes delivered via SMS, §2.1 (`@host #code` is the last line); Android SMS
 * Retriever (the app's hash of 11 characters is in the text, which has 140 bytes at most).
 */

export interface AutofillTarget {
  /** 11 characters of base 64 that Google Play services tell an app. */
  readonly app_hash: string | null
  /** An `https` origin; the line names its host. */
  readonly web_origin: string | null
}

/** The most bytes of a text that the SMS Retriever reads. */
export const LONGEST = 140

export const append = (
  text: string,
  code: string,
  { app_hash: appHash, web_origin: webOrigin }: AutofillTarget
): string => {
  const lines = [text]
  if (appHash !== null) lines.push(appHash)
  if (webOrigin !== null) lines.push(`@${hostOf(webOrigin)} #${code}`)
  return lines.join("\n")
}

/** The host that a code is bound to: the port is not part of it. */
const hostOf = (origin: string): string => new URL(origin).hostname
