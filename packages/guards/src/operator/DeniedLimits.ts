/**
 * The limits that refused a send, noted on its record, so that operators see how many of how many it was, and until
 * when.
 */
import type { Details } from "@watchword/store/Delivery"

/** A limit that refused a send. */
export interface DeniedLimit {
  /** `limit_` with the name of the limit, or `spend` for money. */
  readonly reason: string
  /** As rules write it: `5/1h` of sends, or `200/1d` of EUR. */
  readonly rate: string
  /** The count before the send: sends, or micro-euros. */
  readonly used: number
  /** When a send like this one would have been let through, in milliseconds since the epoch. */
  readonly until: number
}

/** The detail of a record: `limit_number 5/1h 5 1767225600000`, and further limits behind commas. */
const DETAIL = "guard_limits"

export const noted = (limits: ReadonlyArray<DeniedLimit>): Details =>
  limits.length === 0
    ? {}
    : { [DETAIL]: limits.map(({ rate, reason, until, used }) => `${reason} ${rate} ${used} ${until}`).join(",") }

/** The limits that refused the send of a record; none for a record that no limit refused. */
export const read = ({ [DETAIL]: text }: Details): ReadonlyArray<DeniedLimit> =>
  [...String(text ?? "").matchAll(/([a-z0-9_]+) ([\d.]+\/\d+[smhd]) (\d+) (\d+)/g)].map(
    ([, reason = "", rate = "", used, until]) => ({ reason, rate, used: Number(used), until: Number(until) })
  )
