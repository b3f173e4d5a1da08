/**
 * Values of a provider's JSON, which may be anything.
 */
import type { Answered } from "./Exchange.ts"

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; null for any other text. */
export const fieldsOf = (text: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

/** The fields of an answer that is a success. */
export const succeeded = (answer: Answered | null): Fields | null =>
  answer === null || answer.status !== 200 ? null : fieldsOf(answer.text)

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A field that is a text and not empty; null otherwise. */
export const textIn = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === "string" && value !== "" ? value : null
}

export const numberIn = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return typeof value === "number" && Number.isFinite(value) ? value : null
}
