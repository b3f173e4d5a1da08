/**
 * Characters of phone numbers, as keyboards, address books and pages write them.
 *
 * Source: libphonenumber's `PLUS_CHARS` and `VALID_PUNCTUATION`; Unicode, UAX #44 (Default_Ignorable_Code_Point: what
 * nothing shows, such as the marks of direction that contacts and chats put around a number).
 */

/** Kinds of characters, the first that matches. */
const kinds = {
  digit: /^\p{Nd}$/u,
  plus: /^[+\uff0b\ufe62\u207a\u208a\u2795]$/u,
  open: /^[([\uff08\uff3b]$/u,
  close: /^[)\]\uff09\uff3d]$/u,
  blank: /^[\p{White_Space}]$/u,
  // U+20E3 is the frame of a keycap, behind a digit.
  invisible: /^[\p{Default_Ignorable_Code_Point}\p{Cc}\u20e3]$/u,
  // U+30FC is what Japanese keyboards write for a hyphen; an apostrophe groups digits in Switzerland.
  separator: /^[\p{Pd}\u2212\u30fc./\uff0f\uff0e·~\u2053\u223c\uff5e'’]$/u
} as const

export type Kind = keyof typeof kinds

const all = Object.entries(kinds)

/** The kind of a character; undefined if no phone number may contain it. */
export const kindOf = (character: string): Kind | undefined => {
  const found = all.find(([, pattern]) => pattern.test(character))?.[0]
  return isKind(found) ? found : undefined
}

const isKind = (name: string | undefined): name is Kind => name !== undefined && Object.hasOwn(kinds, name)
