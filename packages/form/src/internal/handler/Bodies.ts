/**
 * What a request asks for: JSON of the form, or the fields of a page without a script.
 */
import type { Ask } from "../Wire.ts"

/** What was asked, `forget` for another number, or null for a body that asks nothing. */
export type Body = Ask | { readonly action: "forget" } | null

/** The longest body, in characters: a number, a code or an id, and some names. */
const LONGEST = 4_096

/** Whether a body is what a page without a script sends. */
export const isFields = (request: Request): boolean =>
  (request.headers.get("content-type") ?? "").startsWith("application/x-www-form-urlencoded")

export const readBody = async (request: Request): Promise<Body> => {
  if (Number(request.headers.get("content-length") ?? 0) > LONGEST) return null
  const text = await request.text()
  if (text.length > LONGEST) return null
  if (isFields(request)) return askOf(Object.fromEntries(new URLSearchParams(text)))
  try {
    return askOf(JSON.parse(text))
  } catch {
    return null
  }
}

const askOf = (value: unknown): Body => {
  if (typeof value !== "object" || value === null) return null
  const field = (name: string): string => {
    const text: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    return typeof text === "string" ? text : ""
  }
  const [action, id] = [field("action"), field("id")]
  switch (action) {
    case "start":
      // One of the readings goes before the text that has several.
      return { action, to: field("reading") || field("to"), country: field("country"), language: field("language") }
    case "check":
      return { action, id, code: field("code") }
    case "resend":
    case "other":
      return { action, id }
    case "state":
      return { action, id: id === "" ? null : id }
    case "forget":
      return { action }
    default:
      return null
  }
}
