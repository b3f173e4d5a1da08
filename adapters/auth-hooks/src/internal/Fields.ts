/**
 * Reading of headers, and of JSON whose sender was authenticated and may be of any version.
 */
import type { HostHeaders } from "@watchword/server/Host"

/** A header; null if it is missing, or there more than once. */
export const headerOf = (headers: HostHeaders, name: string): string | null => {
  const value = headers[name]
  return typeof value === "string" ? value : null
}

/** A field of an object, by its path; undefined if it is missing. */
export const fieldOf = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value
  )

/** A text that is not empty; null for anything else. */
export const textOf = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const field = fieldOf(value, ...path)
  return typeof field === "string" && field !== "" ? field : null
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The value of a body; undefined if it is no JSON. */
export const jsonOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}
