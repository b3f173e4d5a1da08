/**
 * The state of one message that is being sent: a state for each part, and the outcome that they add up to.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { Message } from "../../SmsGateway.ts"

/** `Pending` may become any other state, `Unknown` the one that a late answer tells. The others are final. */
export type PartState =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Unknown"; readonly failure: DeliveryFailure }
  /** `ref` is empty when the carrier gave no message id. */
  | { readonly _tag: "Accepted"; readonly ref: string }
  | { readonly _tag: "Rejected"; readonly failure: DeliveryFailure; readonly commandStatus: string | null }

export type FinalOutcome = Exclude<Outcome, { readonly _tag: "Unknown" }>

const pending: PartState = { _tag: "Pending" }

export class MessageState {
  readonly message: Message
  readonly #parts: Array<PartState>
  readonly #answer: (outcome: Outcome) => void
  readonly #answerLate: (delivery: DeliveryId, outcome: FinalOutcome) => void
  #pendingParts: number
  #stage: "Unanswered" | "Unknown" | "Final" = "Unanswered"

  /**
   * @param answer is called once, when no part is pending any more
   * @param answerLate is called at most once, when that answer was `Unknown` and late answers have settled it
   */
  constructor(
    message: Message,
    answer: (outcome: Outcome) => void,
    answerLate: (delivery: DeliveryId, outcome: FinalOutcome) => void
  ) {
    this.message = message
    this.#parts = message.text.parts.map(() => pending)
    this.#pendingParts = this.#parts.length
    this.#answer = answer
    this.#answerLate = answerLate
  }

  /** Sets the state of a part, unless it is final already. */
  settle(part: number, state: Exclude<PartState, { readonly _tag: "Pending" }>): void {
    const before = this.#parts[part]
    if (before === undefined || (before._tag !== "Pending" && before._tag !== "Unknown")) return
    this.#parts[part] = state
    if (before._tag === "Pending") this.#pendingParts--
    if (this.#stage === "Final" || (this.#stage === "Unanswered" && this.#pendingParts > 0)) return

    const outcome = this.#outcome()
    const isFirst = this.#stage === "Unanswered"
    this.#stage = outcome._tag === "Unknown" ? "Unknown" : "Final"
    if (isFirst) this.#answer(outcome)
    else if (outcome._tag !== "Unknown") this.#answerLate(this.message.delivery, outcome)
  }

  // A message that lacks a part can never be read whole, so one rejection outweighs everything else.
  #outcome(): Outcome {
    const refs: Array<string> = []
    let uncertain: DeliveryFailure | undefined
    for (const state of this.#parts) {
      if (state._tag === "Rejected") {
        return rejected(state.failure, state.commandStatus === null ? {} : { carrier_status: state.commandStatus })
      }
      if (state._tag === "Unknown") uncertain ??= state.failure
      if (state._tag === "Accepted" && state.ref !== "") refs.push(state.ref)
    }
    return uncertain === undefined ? accepted(refs) : unknown(uncertain, refs)
  }
}
