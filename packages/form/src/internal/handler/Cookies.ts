/**
 * What the browser keeps between two pages: which verification it was last at, and what the next page is to say.
 * Neither is believed: a verification is shown to its own session alone.
 */
import type { Problem, Readable, Reason } from "../Wire.ts"

/** What the page after a redirect says, and the text of its number's field. */
export interface Note {
  readonly problem: Problem | null
  readonly text: string
  readonly country: string
  readonly readings: ReadonlyArray<Readable>
}

/** The value of a cookie; null without it. */
export const cookieOf = (request: Request, name: string): string | null => {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key = "", value = ""] = pair.trim().split("=")
    if (key === name) return value
  }
  return null
}

/** A cookie that scripts do not see, and requests of other sites do not have. An empty one is removed. */
export const setCookie = (request: Request, name: string, value: string, seconds: number): string => {
  const isSecure = new URL(request.url).protocol === "https:" || request.headers.get("x-forwarded-proto") === "https"
  const age = value === "" ? 0 : seconds
  return `${name}=${value}; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? "; Secure" : ""}`
}

export const noteText = (note: Note): string => encodeURIComponent(JSON.stringify(note))

/** The note of a cookie; null for what is none. */
export const noteOf = (value: string | null): Note | null => {
  if (value === null || value === "") return null
  try {
    const note: unknown = JSON.parse(decodeURIComponent(value))
    return isNote(note) ? note : null
  } catch {
    return null
  }
}

const isNote = (note: unknown): note is Note => {
  if (typeof note !== "object" || note === null) return false
  const [problem, text, country, readings]: ReadonlyArray<unknown> = ["problem", "text", "country", "readings"].map(
    (name) => Reflect.get(note, name)
  )
  const isReadable = (reading: unknown) => hasTexts(reading, ["number", "written"])
  return (
    (problem === null || (hasTexts(problem, ["reason"]) && isWait(problem))) &&
    typeof text === "string" &&
    typeof country === "string" &&
    Array.isArray(readings) &&
    readings.every(isReadable)
  )
}

const hasTexts = (value: unknown, names: ReadonlyArray<string>): value is object =>
  typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "string")

const isWait = (problem: object): boolean => {
  const wait: unknown = Reflect.get(problem, "wait")
  return wait === null || typeof wait === "number"
}

/** Reasons are compared with those that have texts where they are shown. */
export const isReason = (reason: string, texts: object): reason is Reason => Object.hasOwn(texts, reason)
