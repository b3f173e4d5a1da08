/**
 * Reading of phone numbers, without Effect: numbers as people type them, the two numbers by which some networks know
 * one phone, and the numbering plans of all countries.
 *
 * @example
 * ```ts
 * import { read, spellings } from "@watchword/schemas/phone"
 *
 * console.log(read("01512 3456789", "DE").number) // +4915123456789
 * console.log(spellings("+5491123456789").join(" ")) // +5491123456789 +541123456789
 * ```
 */
export { type Read, type Unread, read } from "./Reading.ts"
export { phoneOf, spellings } from "./Spellings.ts"
export { metadata } from "./metadata.ts"
