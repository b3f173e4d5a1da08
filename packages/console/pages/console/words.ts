/**
 * Words and tones for the server's codes.
 */
export type Tone = "good" | "bad" | "warn" | "calm"

const TONES: Readonly<Record<Tone, ReadonlyArray<string>>> = {
  good: ["delivered", "read", "approved", "ringing", "answered"],
  bad: ["failed", "undelivered", "unreachable", "rejected", "blocked", "unpaid"],
  warn: ["unknown", "expired", "canceled", "revoked"],
  calm: []
}

const byStatus = new Map(
  Object.entries(TONES).flatMap(([tone, statuses]) => statuses.map((status) => [status, tone] as const))
)

export const toneOf = (status: string): string => byStatus.get(status) ?? "calm"

export const wordsOf = (code: string): string => code.toLowerCase().replaceAll("_", " ")

const RULES: Readonly<Record<string, string>> = {
  prefix_blocked: "a block",
  country_not_allowed: "rules on countries",
  number_not_allowed: "rules on kinds of numbers",
  spend: "the limit of money",
  denied: "the operator's own check",
  check_failed: "a check that failed"
}

/** A guard's rule by the reason on records: `limit_ip` is that of the limit `ip`. */
export const ruleName = (reason: string): string => RULES[reason] ?? reason.replace(/^limit_/, "the limit ")

const ROLES = { support: "Support", operator: "Operator", admin: "Admin" } as const

export const roleName = (role: keyof typeof ROLES): string => ROLES[role]

/** The beginning and the end of an id, by which people recognise it. */
export const shortId = (id: string): string => (id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)

/** A number as people type it, in E.164 form if they mean that. */
export const numberIn = (text: string): string =>
  text
    .trim()
    .replaceAll(/[\s().\-/\u00a0\u202a\u202c]/g, "")
    .replace(/^00/, "+")

/** Counts with separators, such as 12,480. */
export const count = (number: number): string => number.toLocaleString("en")

/** Counts as short as an axis has them, such as 1.2M. */
export const shortCount = (number: number): string =>
  number.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 })

/** A share in whole percent; a dash if the whole is zero. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`
