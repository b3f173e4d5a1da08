/**
 * The file of an invoice that carriers send: CSV with a line of names, apart by commas or semicolons (RFC 4180, without
 * line breaks in a field).
 */
import { BadRequest } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"

/** A part that a carrier charges for. */
export interface Charge {
  /** The place of its line in the file, from 1 on. */
  readonly line: number
  readonly id: string
  /** Its cost, in micro-euros; null if the file does not say. */
  readonly cost: number | null
}

/** The names that columns have, in small letters without spaces and signs. */
const IDS = ["messageid", "msgid", "smsid", "id", "sid", "messagesid", "reference"]
const COSTS = ["cost", "price", "amount", "charge", "rate"]

export const parse = (text: string): Effect.Effect<ReadonlyArray<Charge>, BadRequest> => {
  const [first = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r?\n/)
  const separator = first.includes(";") ? ";" : ","
  const names = fieldsOf(first, separator).map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ""))
  const columnOf = (known: ReadonlyArray<string>) => names.findIndex((name) => known.includes(name))
  const [id, cost] = [columnOf(IDS), columnOf(COSTS)]
  if (id === -1) return fault("must be a CSV file whose first line names a column message_id")
  const charges: Array<Charge> = []
  for (const [place, line] of lines.entries()) {
    if (line.trim() === "") continue
    const fields = fieldsOf(line, separator)
    const amount = cost === -1 ? null : microEuros(fields[cost] ?? "", separator)
    if (Number.isNaN(amount)) return fault(`must have an amount in the column ${names[cost]} of line ${place + 2}`)
    if (!fields[id]) return fault(`must have an id in line ${place + 2}`)
    charges.push({ line: place + 2, id: fields[id], cost: amount })
  }
  return Effect.succeed(charges)
}

const fault = (message: string) =>
  Effect.fail(new BadRequest({ message: "The carrier's file cannot be read.", issues: [{ path: "against", message }] }))

const fieldsOf = (line: string, separator: string): ReadonlyArray<string> =>
  [...line.matchAll(separator === ";" ? SEMICOLONS : COMMAS)].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim()
  )

const COMMAS = /(?<=^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))(?=,|$)/g
const SEMICOLONS = /(?<=^|;)(?:\s*"((?:[^"]|"")*)"\s*|([^;]*))(?=;|$)/g

/** Files with semicolons may have a comma as the sign of decimals. */
const microEuros = (text: string, separator: string): number =>
  text === "" ? Number.NaN : Math.abs(Math.round(Number(separator === ";" ? text.replace(",", ".") : text) * 1_000_000))
