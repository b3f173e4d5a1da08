/**
 * One message on its way: what is known of each part, and what that makes of the whole.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { Message } from "../SmsGateway.ts"

/** What is known of a part. `Open` may turn into anything, `Unknown` into what a late answer says. */
export type Fate =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Unknown"; readonly failure: DeliveryFailure }
  | { readonly _tag: "Accepted"; readonly ref: string }
  | { readonly _tag: "Refused"; readonly failure: DeliveryFailure; readonly commandStatus: string | null }

export type Final = Exclude<Outcome, { readonly _tag: "Unknown" }>

const open: Fate = { _tag: "Open" }
const beOpen = (): Fate => open

export class Sending {
  readonly message: Message
  private readonly fates: Array<Fate>
  private openParts: number
  private stage: "Unanswered" | "Unknown" | "Final" = "Unanswered"
  private readonly answer: (outcome: Outcome) => void
  private readonly answerLate: (delivery: DeliveryId, outcome: Final) => void

  /**
   * @param answer is called once, when no part is open any more
   * @param answerLate is called at most once, when that answer was `Unknown` and certainty comes after all
   */
  constructor(
    message: Message,
    answer: (outcome: Outcome) => void,
    answerLate: (delivery: DeliveryId, outcome: Final) => void
  ) {
    this.message = message
    this.fates = message.text.parts.map(beOpen)
    this.openParts = this.fates.length
    this.answer = answer
    this.answerLate = answerLate
  }

  /** Records what became of a part. What is certain already stays. */
  settle(part: number, fate: Exclude<Fate, { readonly _tag: "Open" }>): void {
    const before = this.fates[part]
    if (before === undefined || (before._tag !== "Open" && before._tag !== "Unknown")) return
    this.fates[part] = fate
    if (before._tag === "Open") this.openParts--
    if (this.stage === "Final" || (this.stage === "Unanswered" && this.openParts > 0)) return

    const outcome = this.outcome()
    const first = this.stage === "Unanswered"
    this.stage = outcome._tag === "Unknown" ? "Unknown" : "Final"
    if (first) this.answer(outcome)
    else if (outcome._tag !== "Unknown") this.answerLate(this.message.delivery, outcome)
  }

  // A message that lacks a part can never be read whole, so one refusal outweighs everything else.
  private outcome(): Outcome {
    // Most messages have one part, and a list that grows takes room for seventeen.
    let refs: ReadonlyArray<string> = []
    let doubt: DeliveryFailure | undefined
    for (const fate of this.fates) {
      if (fate._tag === "Refused") {
        return rejected(fate.failure, fate.commandStatus === null ? {} : { carrier_status: fate.commandStatus })
      }
      if (fate._tag === "Unknown") doubt ??= fate.failure
      if (fate._tag === "Accepted" && fate.ref !== "") refs = refs.length === 0 ? [fate.ref] : [...refs, fate.ref]
    }
    return doubt === undefined ? accepted(refs) : unknown(doubt, refs)
  }
}
