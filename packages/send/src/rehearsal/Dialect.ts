/**
 * The dialect of a carrier, as a rehearsal found it.
 */
import * as Context from "effect/Context"
import type { By, Heard } from "./Rehearsal.ts"

/** One fact: its subject, and the finding. */
export interface Finding {
  readonly about: string
  readonly found: string
}

/** An option of the carrier's URL, and why. */
export interface Advice {
  readonly option: string
  readonly value: string
  readonly why: string
}

export interface Dialect {
  readonly findings: ReadonlyArray<Finding>
  readonly advice: ReadonlyArray<Advice>
}

/** A question about the phone. */
export interface Question {
  readonly name: string
  readonly text: string
}

export interface Reader {
  readonly questions: ReadonlyArray<Question>
  /** @param shown the messages on the phone, by the names of answered questions */
  readonly dialectOf: (heard: ReadonlyArray<Heard>, shown: ReadonlyMap<string, string>) => Dialect
}

/**
 * The readers that an operator's command has, by how a carrier is connected. A host of commands fills them: the carrier
 * may be one of another process, so that the gateway at hand does not say how it is read.
 */
export const Readers = Context.Reference<Readers>("@watchword/send/rehearsal/Readers", { defaultValue: () => ({}) })
export type Readers = Readonly<Partial<Record<NonNullable<By>, Reader>>>

/** The distinct texts of a fact among the heard messages. */
export const textsOf = (heard: ReadonlyArray<Heard>, fact: string): ReadonlyArray<string> => [
  ...new Set(
    heard.flatMap(({ facts: { [fact]: value } }) => (typeof value === "string" && value !== "" ? [value] : []))
  )
]

/**
 * How far a clock differs from UTC, by its stamp at a time: `UTC`, `UTC+02:00`; null if the difference is not a zone.
 *
 * @param stamp milliseconds since the epoch, of the stamp read as UTC
 */
export const zoneOf = (stamp: number, at: number): string | null => {
  const quarters = Math.round((stamp - at) / QUARTER)
  if (Math.abs(quarters) > 56 || Math.abs(stamp - at - quarters * QUARTER) > SLACK) return null
  if (quarters === 0) return "UTC"
  const minutes = Math.abs(quarters) * 15
  const two = (value: number): string => String(value).padStart(2, "0")
  return `UTC${quarters < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const QUARTER = 900_000
/** Milliseconds that a stamp in minutes may be old, and a clock may be wrong. */
const SLACK = 180_000
