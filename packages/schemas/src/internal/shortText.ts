/**
 * Short texts of a client's own, such as references and labels, which every database can keep.
 */
import * as Schema from "effect/Schema"

// oxlint-disable-next-line no-control-regex
const UNKEEPABLE = /[\u0000-\u001f\u007f]|\p{Surrogate}/u

/** A text in one line, of some to so many UTF-16 code units. */
export const shortText = (least: 0 | 1, most: number) =>
  Schema.String.check(
    Schema.isMaxLength(most, { message: `must have at most ${most} characters` }),
    Schema.makeFilter((text) => {
      if (text.length < least) return "must not be empty"
      return UNKEEPABLE.test(text) ? "must not have control characters or unpaired surrogates" : undefined
    })
  )
