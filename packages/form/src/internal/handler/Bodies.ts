/**
 * Reads requests: JSON from the form, or the fields of a page without a script.
 */
import type { Ask } from "../Wire.ts"

/** A request of the form, `forget` to enter another number, or null for an invalid body. */
export type Body = Ask | { readonly action: "forget" } | null

/** The longest body, in characters: a number, a code or an id, and some names. */
const LONGEST = 4_096

/** Whether a request comes from a page without a script. */
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
      // A chosen reading takes precedence over the ambiguous text.
      return { action, to: field("reading") || field("to"), country: field("country"), language: field("language") }
    case "check":
      return { action, id, code: field("code") }
    case "resend":
    case "other":
      return { action, id }
    case "state":
      return { action, id: id === "" ? null : id, wait: Reflect.get(value, "wait") === true }
    case "forget":
      return { action }
    default:
      return null
  }
}
