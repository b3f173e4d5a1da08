/**
 * Numbers as identity servers keep and post them, in E.164: some keep digits alone, some what a person has typed.
 */
import { parse } from "@watchword/schemas/PhoneNumber"

/** A number in E.164; any other text as it is, so that the service says what is wrong with it. */
export const written = (text: string): string => parse(text).number ?? text

/** The same of a server that keeps a number as its digits, the calling code before the rest: the plus sign is added. */
export const digits = (text: string): string =>
  /^\s*[0-9]/.test(text) ? (parse(`+${text}`).number ?? text) : written(text)
