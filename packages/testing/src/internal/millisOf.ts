import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** Milliseconds of a duration. Throws a `TypeError` with the units for another value. */
export const millisOf = (input: Duration.Input): number => {
  const duration = Duration.fromInput(input)
  if (Option.isSome(duration)) return Duration.toMillis(duration.value)
  throw new TypeError(
    `${JSON.stringify(input)} is no duration; write "10 minutes", in millis, seconds, minutes, hours or days, or a number of milliseconds`
  )
}
