/**
 * How the gateways of texts and chats take a message.
 */
import {
  BadRequest,
  type DeliveryFailure,
  NotFound,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import { type Outcome, accepted, rejected, unknown } from "@watchword/send/Outcome"
import type { Details } from "@watchword/store/Delivery"
import type * as Effect from "effect/Effect"
import type { ChannelName } from "@watchword/sandbox/simulator"
import type { Network, Sent } from "../Network.ts"

/** A gateway's view of a message that it accepted. */
export interface Taken {
  /** The gateway's ids of the parts. */
  readonly refs: ReadonlyArray<string>
  readonly details?: Details
  /** Tells the service whether the message has arrived. */
  readonly receipt: (arrived: boolean) => Effect.Effect<void, unknown>
}

/** Milliseconds from a message's arrival to its receipt. */
const RECEIPT = 1_000

/** Takes or refuses a message as the script says. `taken` runs where it is taken. */
export const take = (
  network: Network,
  channel: Exclude<ChannelName, "call">,
  message: Sent,
  taken: () => Taken
): Outcome => {
  const { after, outcome } = network.carry(channel, message)
  switch (outcome) {
    case "refused":
    case "throttled":
    case "unreachable":
    case "no-account":
      return rejected(failures[outcome]())
    case "unknown":
      return unknown(unanswered())
  }
  const { details, receipt, refs } = taken()
  const late = outcome === "late" ? after : 0
  if (outcome !== "silent") network.later(late + RECEIPT, receipt(outcome !== "undelivered"))
  return accepted(refs, details)
}

/** The failures of refusals. */
export const failures: Readonly<Record<"refused" | "throttled" | "unreachable" | "no-account", () => DeliveryFailure>> =
  {
    refused: () => new BadRequest({ message: "The gateway permanently refused the message." }),
    throttled: () => new TemporaryUnavailable({ message: "The gateway is rate-limiting us; try again later." }),
    unreachable: () => new ServiceUnavailable({ message: "The gateway is disconnected." }),
    "no-account": () => new NotFound({ message: "The number has no account on the chat app." })
  }

export const unanswered = (): DeliveryFailure =>
  new TemporaryUnavailable({ message: "The gateway did not answer; it is unknown whether it sends the message." })
