/**
 * The state of one message that is being sent: a state for each part, and the outcome that they add up to.
 */
import { type DeliveryFailure, deliveryFailure } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, accepted, incomplete, rejected, unknown } from "@watchword/send/Outcome"
import * as Option from "effect/Option"
import type { Message } from "../../SmsGateway.ts"

/** `Pending` may become any other state, `Unknown` the state in a late answer. The others are final. */
export type PartState =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Unknown"; readonly failure: DeliveryFailure }
  /** `ref` is empty when the carrier gave no message id. */
  | { readonly _tag: "Accepted"; readonly ref: string }
  | { readonly _tag: "Rejected"; readonly failure: DeliveryFailure; readonly commandStatus: string | null }

/** An outcome that no late answer changes. */
export type FinalOutcome = Exclude<Outcome, { readonly _tag: "Unknown" }>

const pending: PartState = { _tag: "Pending" }

export class MessageState {
  readonly message: Message
  /** Whether a part was written. */
  isBegun = false
  readonly #parts: Array<PartState>
  #answer: (outcome: Outcome) => void
  readonly #answerLate: (delivery: DeliveryId, outcome: FinalOutcome) => void
  #pendingParts: number
  #stage: "Unanswered" | "Unknown" | "Final" = "Unanswered"

  /**
   * @param answer is called once, when no part is pending any more
   * @param answerLate is called at most once, when that answer was not final and late answers have settled it
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

  /** Whether the carrier has taken a part, or may have. */
  get mayBeTaken(): boolean {
    return this.#parts.some(({ _tag }) => _tag === "Accepted" || _tag === "Unknown")
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
    const isFinal = isDecided(outcome)
    this.#stage = isFinal ? "Final" : "Unknown"
    const answer = this.#answer
    // Sets and maps keep their deleted members until a full collection, and with it the request that was answered.
    this.#answer = ignore
    if (isFirst) answer(outcome)
    else if (isFinal) this.#answerLate(this.message.delivery, outcome)
  }

  #outcome(): Outcome {
    const refs: Array<string> = []
    let taken = 0
    let uncertain: DeliveryFailure | undefined
    let refused: Extract<PartState, { readonly _tag: "Rejected" }> | undefined
    for (const state of this.#parts) {
      if (state._tag === "Rejected") refused ??= state
      if (state._tag === "Unknown") uncertain ??= state.failure
      if (state._tag !== "Accepted") continue
      taken++
      if (state.ref !== "") refs.push(state.ref)
    }
    if (refused === undefined) return uncertain === undefined ? accepted(refs) : unknown(uncertain, refs)
    const { commandStatus, failure } = refused
    const details = commandStatus === null ? {} : { carrier_status: commandStatus }
    if (taken > 0) return incomplete(takenInPart(failure, taken, this.#parts.length), true, refs, details)
    return uncertain === undefined
      ? rejected(failure, details)
      : incomplete(perhapsTakenInPart(failure), false, refs, details)
  }
}

const ignore = (): void => {}

const isDecided = (outcome: Outcome): outcome is FinalOutcome =>
  outcome._tag !== "Unknown" && (outcome._tag !== "Incomplete" || outcome.isTaken)

// A text that lacks a part can never be read whole, and the carrier charges for the parts that it took.
const takenInPart = (failure: DeliveryFailure, taken: number, total: number) =>
  withMessage(
    failure,
    `The carrier took ${taken} of the text's ${total} parts, and not the rest. The text was not sent whole, and is charged.`
  )

const perhapsTakenInPart = (failure: DeliveryFailure) =>
  withMessage(failure, "The carrier did not take a part of the text; whether another was sent is not known.")

const withMessage = (failure: DeliveryFailure, message: string): DeliveryFailure =>
  Option.getOrElse(deliveryFailure(failure._tag, message), () => failure)
