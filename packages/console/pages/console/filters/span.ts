/**
 * Spans of time of a list: the last hours or days, or between two times.
 */

const HOUR = 3_600_000
const MINUTE = 60_000

const LENGTHS: Readonly<Record<string, number>> = { "1h": HOUR, "24h": 24 * HOUR, "7d": 168 * HOUR, "30d": 720 * HOUR }

/** Whose bounds its users choose. */
export const BETWEEN = "between"

export const SPANS = [
  { value: "", label: "Any time" },
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: BETWEEN, label: "Between…" }
] as const

interface Bounds {
  readonly since?: string
  readonly until?: string
}

/**
 * The bounds of a span, ISO 8601. One of the last hours begins at a whole minute, so that viewers share a query.
 *
 * @param from where a span between two times begins; empty for no such bound
 */
export const boundsOf = (span: string, from: string, until: string, now: number): Bounds => {
  const length = LENGTHS[span]
  if (length !== undefined) return { since: new Date(Math.floor((now - length) / MINUTE) * MINUTE).toISOString() }
  if (span !== BETWEEN) return {}
  return { ...(from !== "" && { since: from }), ...(until !== "" && { until }) }
}

/** A time in the form of its input field, in the viewer's time zone. */
export const localOf = (iso: string): string => {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ""
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
}

/** A time of an input field in ISO 8601; empty for none. */
export const isoOf = (local: string): string => {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? "" : date.toISOString()
}

/** Why two bounds are not valid; null if they are. */
export const wrongIn = (from: string, until: string): string | null =>
  from !== "" && until !== "" && Date.parse(from) >= Date.parse(until) ? "The end must be after the beginning." : null
