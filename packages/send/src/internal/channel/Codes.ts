/**
 * Carriage of a verification's code through a channel: how it is sent and revoked, and how a send's record shows its
 * arrival. Verifications use the channels whose description has it.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { ClientFacts } from "@watchword/schemas/SharedFields"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { Delivery } from "@watchword/store/Delivery"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Origin } from "../../Claims.ts"
import type { SendError } from "../../Send.ts"

/** One send of a code. */
export interface CodeMessage {
  readonly principal: Principal
  readonly to: E164
  readonly code: string
  /** The code in a sentence, for channels that carry texts. */
  readonly text: string
  /** A BCP 47 tag; null if the client named none. */
  readonly locale: string | null
  /**
   * The number whose last digits are the code, for channels that show it as the caller; null without a pool of callers.
   */
  readonly caller: string | null
  /** Seconds that the code is still valid, 30 at least. */
  readonly ttl: number
  readonly client: ClientFacts
  /** The id of the delivery, chosen beforehand, and the details that lead from it to the verification. */
  readonly origin: Origin
  /** The id of the look-up that comes before it, chosen beforehand too; null for channels without one. */
  readonly probe: DeliveryId | null
}

/** The number has no account on the channel: nothing was sent. */
export class NoAccount extends Data.TaggedError("NO_ACCOUNT")<{}> {}

/** Why a code was not sent, or may not have been. */
export type CodeError = SendError | NoAccount | ServiceUnavailable

/**
 * A send's arrival, according to its record:
 *
 * | arrival | meaning |
 * |---|---|
 * | `arrived` | the phone has it: a slow typist does not pay for another step |
 * | `shown` | the phone shows it, or did, and that its user saw it is not known |
 * | `lost` | it will not arrive: the next step is taken at once |
 * | `revoked` | it was taken back before it was read |
 */
export type Arrival = "arrived" | "shown" | "lost" | "revoked"

/** The part of a channel's description that a verification reads. */
export interface CodeRules {
  /** Seconds without news after which the next step is taken, where a workflow does not say. */
  readonly timeout: number
  /** The product of the look-up that a send pays for before it; null for none. */
  readonly probe: Product | null
  /**
   * Whether the phone shows the code as the last digits of a caller. Such a channel comes last where no workflow is
   * set.
   */
  readonly isCaller: boolean
  /** The most digits of a code that it carries; 10 for any code. */
  readonly longest: number
  /** Null while the network has said nothing, or nothing that is final. */
  readonly arrival: (delivery: Pick<Delivery, "status" | "details">) => Arrival | null
  /**
   * Of a record that says the send was refused, whether the phone may have shown the code all the same; null if not.
   */
  readonly doubt: (delivery: Delivery) => "accepted" | "unknown" | null
}

/** The same with the functions of the channel's service. */
export interface Codes<in S>
  extends Partial<Omit<CodeRules, "timeout" | "arrival">>, Pick<CodeRules, "timeout" | "arrival"> {
  readonly send: (service: S, message: CodeMessage) => Effect.Effect<unknown, CodeError>
  /** Takes a message back that may be unread, or ends a call. Channels that can do neither leave it out. */
  readonly withdraw?: (service: S, principal: Principal, delivery: DeliveryId) => Effect.Effect<unknown, unknown>
}

/** A running channel's own. */
export interface CodeSender {
  readonly send: (message: CodeMessage) => Effect.Effect<unknown, CodeError>
  readonly withdraw: (principal: Principal, delivery: DeliveryId) => Effect.Effect<unknown, unknown>
}

/** The rules, with defaults for omitted ones. */
export const rulesOf = <S>({
  arrival,
  doubt = () => null,
  isCaller = false,
  longest = 10,
  probe = null,
  timeout
}: Codes<S>): CodeRules => ({
  arrival,
  doubt,
  isCaller,
  longest,
  probe,
  timeout
})
