/**
 * Reading of headers, and of values from outside.
 */
import type { HostHeaders } from "@watchword/server/Host"

/** A header; null if it is missing, or there more than once. */
export const headerOf = (headers: HostHeaders, name: string): string | null => {
  const value = headers[name]
  return typeof value === "string" ? value : null
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** Bytes as a text; undefined if they are not UTF-8. */
export const utf8Of = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The value of a text; undefined if the text is not valid JSON. */
export const jsonOf = (text: string | undefined): unknown => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
