/**
 * Details of a record as texts.
 */
import type { Delivery } from "@watchword/store/Delivery"

/** A detail that is a number or a text that is not empty; null for any other. */
export const textOf = ({ details }: Pick<Delivery, "details">, name: string): string | null => {
  const value = details[name]
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null
}

/** The words that there are, with commas in between; null without any. */
export const joined = (words: ReadonlyArray<string | null>): string | null => {
  const found = words.filter((each) => each !== null)
  return found.length === 0 ? null : found.join(", ")
}
