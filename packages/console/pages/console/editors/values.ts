/**
 * Values of JSON, and of fields.
 */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const areTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

/** The number of a field; zero while it is empty. */
export const numberIn = (text: string): number => Number(text) || 0

/** An object with a field of this value; without the field where that is undefined. */
export const put = <O extends object, K extends keyof O>(object: O, name: K, value: O[K] | undefined): O => {
  const next = { ...object }
  if (value === undefined) delete next[name]
  else next[name] = value
  return next
}
