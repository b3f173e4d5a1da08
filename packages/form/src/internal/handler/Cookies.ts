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

/** What the browser keeps, in one cookie. */
export interface Kept {
  /** The id of the verification; null without one. */
  readonly id: string | null
  /** What the next page is to say; null for nothing. */
  readonly note: Note | null
}

/** What the browser has kept by a cookie. */
export const keptBy = (request: Request, name: string): Kept => {
  const [, value = ""] = pairsOf(request).find(([key]) => key === name) ?? []
  const end = value.indexOf(".")
  const id = end === -1 ? value : value.slice(0, end)
  return { id: id === "" ? null : id, note: end === -1 ? null : noteOf(value.slice(end + 1)) }
}

/** A cookie that scripts do not see, and requests of other sites do not have. One that keeps nothing is removed. */
export const keeping = (request: Request, name: string, { id, note }: Kept): string => {
  const isSecure = new URL(request.url).protocol === "https:" || request.headers.get("x-forwarded-proto") === "https"
  const said = note === null ? "" : `.${encodeURIComponent(JSON.stringify(note))}`
  const age = id === null && note === null ? 0 : SECONDS
  return `${name}=${id ?? ""}${said}; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? "; Secure" : ""}`
}

/** The longest that a code is valid. */
const SECONDS = 3_600

const pairsOf = (request: Request): ReadonlyArray<readonly [string, string]> =>
  (request.headers.get("cookie") ?? "").split(";").map((pair) => {
    const [key = "", value = ""] = pair.trim().split("=")
    return [key, value]
  })

/** The note of a text; null for what is none. */
const noteOf = (text: string): Note | null => {
  try {
    const note: unknown = JSON.parse(decodeURIComponent(text))
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
