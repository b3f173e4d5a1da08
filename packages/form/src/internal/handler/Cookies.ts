/**
 * Keeps the last verification and the message for the next page in the browser. Neither is trusted: a verification is
 * shown only to its own session.
 */
import type { Problem, Readable, Reason } from "../Wire.ts"

/** The message of the page after a redirect, and the text in its number field. */
export interface Note {
  readonly problem: Problem | null
  readonly text: string
  readonly country: string
  readonly readings: ReadonlyArray<Readable>
}

/** The content of the cookie. */
export interface Kept {
  /** The id of the verification; null if there is no verification. */
  readonly id: string | null
  /** The message for the next page; null if there is no message. */
  readonly note: Note | null
}

/** Reads the cookie of a request. */
export const keptBy = (request: Request, name: string): Kept => {
  const [, value = ""] = pairsOf(request).find(([key]) => key === name) ?? []
  const end = value.indexOf(".")
  const id = end === -1 ? value : value.slice(0, end)
  return { id: id === "" ? null : id, note: end === -1 ? null : noteOf(value.slice(end + 1)) }
}

/** A cookie hidden from scripts and from requests of other sites. Empty content removes it. */
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

/** Parses a note; null if it is not valid. */
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

/** Whether a reason has a text. */
export const isReason = (reason: string, texts: object): reason is Reason => Object.hasOwn(texts, reason)
