/**
 * Months of UTC, as inputs name them.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"

/** In milliseconds since the epoch; `until` is left out. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** @param month such as `2027-01` */
export const spanOf = (month: string): Effect.Effect<Span, BadRequest> => {
  const [, year, number] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year !== undefined) {
    return Effect.succeed({
      since: Date.UTC(Number(year), Number(number) - 1),
      until: Date.UTC(Number(year), Number(number))
    })
  }
  const issues = [{ path: "month", message: "must be a month such as 2027-01" }]
  return Effect.fail(new BadRequest({ message: "The month is not valid.", issues }))
}
