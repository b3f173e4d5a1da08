/**
 * How long a carrier keeps trying to deliver a message.
 *
 * Source: SMPP 3.4 §5.2.16 (validity_period), §7.1.1 (relative time format).
 */
import type { LinkOptions } from "./Options.ts"
import { type Lifetime, lifetime } from "../Lifetime.ts"

/**
 * The validity_period of a message; empty for the carrier's own.
 *
 * @param waited milliseconds that the message has waited already
 */
export const validityPeriod = (message: Lifetime, { validity }: LinkOptions, waited: number): string => {
  if (validity === 0) return ""
  const seconds = message.ttl ?? validity ?? lifetime(message)
  return Number.isFinite(seconds) ? relative(Math.max(1, Math.ceil(seconds - waited / 1000))) : ""
}

/** Years, months, days, hours, minutes, seconds, tenths, an unused offset, and `R`. */
const relative = (seconds: number): string => {
  const fields = [0, 0, Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
  return `${[...fields, seconds % 60].map((field) => String(field).padStart(2, "0")).join("")}000R`
}
