/**
 * Converts the phone numbers that identity servers store and post to E.164: some servers keep only digits, others
 * whatever the user typed.
 */
import { parse } from "@watchword/schemas/PhoneNumber"

/** A number in E.164. Any other text is returned unchanged, so that the service reports the error. */
export const written = (text: string): string => parse(text).number ?? text

/** The same for a server that stores a number as digits that begin with the calling code: adds the plus sign. */
export const digits = (text: string): string =>
  /^\s*[0-9]/.test(text) ? (parse(`+${text}`).number ?? text) : written(text)
