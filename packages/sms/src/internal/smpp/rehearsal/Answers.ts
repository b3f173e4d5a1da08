/**
 * The carrier's answers to the texts of a rehearsal, in sentences.
 */
import type * as CommandStatus from "../CommandStatus.ts"

/** The meaning of an answer to a submit_sm. */
export const readAs = (verdict: CommandStatus.Verdict, id: string, withReference: boolean): string => {
  switch (verdict._tag) {
    case "Accepted":
      return id === "" ? "taken, without an id: no receipt can name it" : "taken"
    case "Throttled":
      return "too fast: the link slows down, and writes it again"
    case "QueueFull":
      return "no room: it is written again in a moment"
    case "ParameterRefused":
      return withReference ? "without user_message_reference then" : refusalOf(verdict)
    case "Unbound":
      return "the carrier does not know the bind any more: it is written again by the next"
    case "Refused":
      return refusalOf(verdict)
  }
}

const refusalOf = ({ advice, failure }: CommandStatus.Refusal<string>): string =>
  sentenceOf(failure()) + (advice === null ? "" : `; ${advice}`)

/** A refusal with its issues. */
export const sentenceOf = (failure: {
  readonly message: string
  readonly issues?: ReadonlyArray<{ path: string; message: string }>
}) =>
  [`refused: ${failure.message}`, ...(failure.issues ?? []).map(({ message, path }) => `${path} ${message}`)].join(" ")
