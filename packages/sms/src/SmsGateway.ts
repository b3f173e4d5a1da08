/**
 * The port of SMS gateways: a carrier over SMPP, a provider over HTTP, the sandbox, or one of your own.
 * `@watchword/sms/conformance` checks an implementation.
 */
import type { Gateway, Sends } from "@watchword/send/channel/Gateways"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Sender, SmsStatus } from "@watchword/schemas/Sms"
import type { Outcome } from "@watchword/send/Outcome"
import type { Delivery, Details } from "@watchword/store/Delivery"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { EncodedText } from "./EncodedText.ts"

/** One message to send. */
export interface Message {
  readonly delivery: DeliveryId
  /** For gateways that serve accounts in turn. */
  readonly account: AccountId
  readonly to: E164
  readonly from: Sender
  readonly text: EncodedText
  /** 0 to 65535. Sent along where the protocol allows it, so that receipts repeat it. */
  readonly reference: number
  /** Seconds that the text is of use, as the client says; null if it does not. */
  readonly ttl: number | null
  /** Whether the text has a one-time code, which is of little use after ten minutes. */
  readonly hasCode: boolean
  /** Optional parameters for the carrier. */
  readonly tlvs: ReadonlyArray<Tlv>
  /**
   * Milliseconds that it may wait to be written where that is less than the gateway's own limit, because another
   * carrier can take it; 0 where it is to leave at once or not at all. Once a part is written, the others may wait.
   */
  readonly patience?: number
  /**
   * The names of the carriers that may take it, in this order, for a gateway that is composed of several; null, or left
   * out, where that gateway is to choose them.
   */
  readonly carriers?: ReadonlyArray<string> | null
}

/** An optional parameter of SMPP (tag, length, value). */
export interface Tlv {
  readonly tag: number
  /** ASCII. */
  readonly value: string
}

/** An event that follows the answer of `send`. */
export type SmsEvent =
  /** A delivery receipt for one part, or for the whole of a text that the carrier has split. */
  | {
      readonly _tag: "Receipt"
      /** Spellings of the carrier's message id (as it came, hexadecimal, decimal), in order of preference. */
      readonly refs: ReadonlyArray<string>
      /** The recipient's number with the plus sign, where the receipt has it. */
      readonly to: string | null
      /** The message's reference, where the receipt has it. */
      readonly reference: number | null
      /**
       * The delivery that the message was sent for, where the carrier hands it back: one whose answer was lost is known
       * again by it, whatever spelling of the number the carrier uses.
       */
      readonly of?: DeliveryId | null
      /**
       * `sent` for intermediate states; null if the carrier names none whose meaning is known. The record then keeps
       * the carrier's words, and its status.
       */
      readonly status: SmsStatus | null
      /** The carrier's status and error code, for example `UNDELIV` and `069`. */
      readonly carrierStatus: string | null
      readonly carrierError: string | null
      /** Whether it is about all parts, because the carrier gave them one id; false by default. */
      readonly isOfAllParts?: boolean
      /** What else the carrier says, for the details of the record. */
      readonly details?: Details
      /**
       * The details that the record lacks about the carrier that has the message: after a crash in the middle of a send
       * it names the first that was asked. Left out by a gateway of one carrier.
       */
      readonly ofCarrier?: (record: Delivery) => Details
      /** Run where no message is found for the receipt, even after a while. */
      readonly unmatched?: Effect.Effect<void>
    }
  /** A text that a subscriber wrote to a number of ours. */
  | {
      readonly _tag: "Text"
      /** As the carrier writes it: type of number as in SMPP, 1 for international, and digits or a name. */
      readonly from: { readonly ton: number; readonly address: string }
      /** The number of ours, one of {@link Service.receives}. */
      readonly to: E164
      readonly text: string
      /** False if parts of it are missing. It comes again with more of them, or whole, if they come. */
      readonly isWhole: boolean
      /** The name of the carrier that brought it; null for a carrier without a name. */
      readonly carrier: string | null
    }
  /** The outcome of a send that was answered `Unknown`, or `Incomplete` with nothing certainly taken. */
  | {
      readonly _tag: "LateOutcome"
      readonly delivery: DeliveryId
      readonly outcome: Exclude<Outcome, { readonly _tag: "Unknown" }>
    }

export type Receipt = Extract<SmsEvent, { readonly _tag: "Receipt" }>
export type Written = Extract<SmsEvent, { readonly _tag: "Text" }>

/**
 * `events` gives receipts, texts and late outcomes. A receipt or a text is acknowledged to the carrier once `handle`
 * has succeeded; when it fails, the carrier is asked to send it again.
 */
export interface Service extends Gateway<SmsEvent>, Sends<Message> {
  /**
   * Sends all parts of a message and answers when the carrier has answered for each, or when the gateway's own time
   * limit has passed. Never fails, and is not to be interrupted.
   *
   * `Accepted` has an id for each part, or one for all where the carrier splits the text itself.
   *
   * A message with a rejected part can never be read whole. It is `Rejected` when the carrier certainly took none of
   * the others, and otherwise `Incomplete`: parts that were taken are paid for.
   */
  readonly send: Sends<Message>["send"]
  /** The numbers of ours that users may write to; left out by a gateway that takes no texts. */
  readonly receives?: () => ReadonlyArray<E164>
}

/** The gateway that live messages leave over. */
export class SmsGateway extends Context.Service<SmsGateway, Service>()("@watchword/sms/SmsGateway") {}
