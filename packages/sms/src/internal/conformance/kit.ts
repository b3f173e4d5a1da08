/**
 * Messages, and the receipts that arrive for them.
 */
import { type CaseOf, collect, eventually, holds } from "@watchword/store/checks"
import { AccountId, nextDeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import type { Outcome } from "@watchword/send/Outcome"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Started } from "./Harness.ts"
import { encode } from "../../EncodedText.ts"
import type { Message, Receipt, Service, SmsEvent } from "../../SmsGateway.ts"

export type SmsCase = CaseOf<Started>

export const THREE_PARTS = "Your code is 123456. ".repeat(20)

let reference = 0

export const message = (to: E164, text = "Your code is 123456"): Effect.Effect<Message> =>
  Effect.map(Clock.currentTimeMillis, (at) => ({
    delivery: nextDeliveryId(at),
    account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
    to,
    from: Sender.make("Watchword"),
    text: encode(text),
    reference: ++reference & 0xffff,
    ttl: null,
    hasCode: true,
    tlvs: []
  }))

/** The refs of a message that must have been accepted. */
export const refsOf = (outcome: Outcome): ReadonlyArray<string> => {
  holds(`a message must be accepted, and was ${outcome._tag}`, outcome._tag === "Accepted")
  return outcome.refs
}

/** Sends a message of one part, and returns its ref. */
export const sendOne = (gateway: Service, to: E164): Effect.Effect<string> =>
  Effect.gen(function* () {
    const [ref] = refsOf(yield* gateway.send(yield* message(to)))
    holds("an accepted message must have a ref", ref !== undefined)
    return ref
  })

/** Events of a gateway from here on. */
export const listen = Effect.fnUntraced(function* (
  gateway: Service,
  patience: Duration.Input,
  handle?: (event: SmsEvent) => Effect.Effect<void, StoreError>
) {
  const events = yield* collect(gateway.events, handle)
  return {
    events,
    /** Receipts of the part with this ref, in any spelling. */
    receipts: (ref: string): ReadonlyArray<Receipt> =>
      events.filter((event) => event._tag === "Receipt").filter(({ refs }) => refs.includes(ref)),
    until: (about: string, condition: () => boolean) => eventually(about, Effect.sync(condition), patience)
  }
})

/** Cases for a number that the carrier may not have. */
export const possible = (
  number: E164 | null,
  cases: (number: E164) => ReadonlyArray<SmsCase>
): ReadonlyArray<SmsCase> => (number === null ? [] : cases(number))
