/**
 * Phone numbers as people type them. It needs `@watchword/schemas`, which has the numbering plans, in addition to the
 * client, but not Effect.
 *
 * @example
 * ```ts
 * import { parse } from "@watchword/client/phone"
 *
 * console.log(parse("01512 3456789", "DE").number) // +4915123456789
 * const parsed = parse("4915123456789", "DE")
 * const answer = parsed.number === null ? parsed.readings.join(" or ") : parsed.number
 * console.log(answer) // +494915123456789 or +4915123456789
 * ```
 */
import { type Read, read } from "@watchword/schemas/phone"

export type { Unread } from "@watchword/schemas/phone"

/** The result of {@link parse}: the number in E.164 form, or why the text is not exactly one number. */
export type ParsedNumber = Read

/**
 * Reads a number as people type it and address books keep it. A text with two valid readings has no number, so that no
 * code goes to a stranger: the page asks which of `readings` it is.
 *
 * @param country ISO 3166-1 alpha-2 code of where a number without a calling code is dialled
 */
export const parse = (text: string, country?: string): ParsedNumber => read(text, country)
