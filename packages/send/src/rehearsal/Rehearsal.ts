/**
 * The part of a gateway that rehearses: it sends an operator's own phone a few texts, or a call, by the connections
 * that live messages leave over, and reports the carrier's answers both raw and as they were read.
 *
 * No account pays for it, and no record knows of it: the carrier's answers to a rehearsal reach no event handler.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Fact = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))

/** A message that was sent or received. */
export const Heard = Schema.Struct({
  /** Milliseconds since the epoch. */
  at: Schema.Finite,
  kind: Schema.Literals(["sent", "answer", "receipt", "stray", "ring", "end", "note"]),
  /** As it came in, in printable characters, with the operator's number masked. */
  raw: Schema.String,
  /** As it was read. */
  read: Schema.String,
  /** The parts of it by which the carrier's dialect is known. */
  facts: Schema.Record(Schema.String, Fact)
})
export type Heard = typeof Heard.Type

/** How a carrier is connected; null for a provider over HTTP, and for gateways that do not rehearse. */
export const By = Schema.NullOr(Schema.Literals(["smpp", "sip"]))
export type By = typeof By.Type

/** A carrier of a gateway, by the name that records have. */
export interface Carrier {
  readonly name: string
  readonly by: By
}

export interface Trial {
  readonly carrier: string
  readonly to: E164
  /** The sender of texts, or the caller. */
  readonly from: string
  /** Milliseconds that receipts are waited for, after the last answer. */
  readonly wait: number
}

export interface Rehearsal {
  readonly carriers: Effect.Effect<ReadonlyArray<Carrier>>
  /** Sends everything once, and ends when all has come in, or after the time that the trial waits. */
  readonly run: (trial: Trial, hear: (heard: Heard) => void) => Effect.Effect<void>
}

/** A heard message without the operator's number. */
export const withoutNumber = (heard: Heard, number: string): Heard => ({
  ...heard,
  raw: maskIn(heard.raw, number),
  read: maskIn(heard.read, number),
  facts: Object.fromEntries(
    Object.entries(heard.facts).map(([name, fact]) => [name, typeof fact === "string" ? maskIn(fact, number) : fact])
  )
})

/** A text of a carrier without the operator's number, in whatever form: the first digits and the last two stay. */
const maskIn = (text: string, number: string): string => {
  const digits = number.replace(/\D/g, "")
  let shown = text
  for (let cut = 0; digits.length - cut >= SHORTEST; cut++) {
    const written = digits.slice(cut)
    shown = shown.replaceAll(written, stars(written))
  }
  return shown
}

/** The fewest digits at a number's end by which it is known. */
const SHORTEST = 7

const stars = (digits: string): string =>
  `${digits.slice(0, -MASKED)}${"*".repeat(Math.min(MASKED, digits.length) - 2)}${digits.slice(-2)}`

/** How many digits at a number's end are masked, apart from the last two of them. */
const MASKED = 9
