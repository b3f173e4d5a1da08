/**
 * Reasons for which guards refuse, and the errors that clients get for them.
 */
import { Forbidden, TooManyRequests } from "@watchword/schemas/Errors"

/** The detail of a record that has the reasons for which it was refused, or would have been, with spaces in between. */
export const REASONS = "guard_reasons"

/** The reasons that waiting does not change, and their sentences. */
const permanents = {
  country_not_allowed: "The account does not send to numbers of this country.",
  number_not_allowed: "The account does not send to numbers of this kind.",
  prefix_blocked: "Numbers with this prefix are blocked for now.",
  denied: "The operator's check denies this send.",
  check_failed: "The operator's check before this send failed."
} as const

export type Permanent = keyof typeof permanents

/** The reason of limits of money. */
export const SPEND = "spend"

/** The reason of a limit of sends by its name. */
export const limitOf = (name: string): string => `limit_${name}`

/** The wait that a limit asks of a client, and the rest of each limit. */
export type Wait = Pick<TooManyRequests, "retryAfter" | "remaining">

/** The error of a reason. Only a limit carries a wait. */
export const refusalOf = (reason: string, wait: Partial<Wait> = {}): Forbidden | TooManyRequests =>
  isPermanent(reason)
    ? new Forbidden({ message: permanents[reason], reason })
    : new TooManyRequests({
        message:
          reason === SPEND ? "The account's sends in this period cost too much." : "Too many sends; try again later.",
        reason,
        ...wait
      })

export const isPermanent = (reason: string): reason is Permanent => Object.hasOwn(permanents, reason)

/** Whether a reason is that of a limit, of sends or of money. */
export const isLimit = (reason: string): boolean => reason === SPEND || reason.startsWith(limitOf(""))
