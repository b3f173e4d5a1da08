/**
 * Scenarios of the sandbox: the last four digits of a number choose what happens to a send.
 *
 * | digits | scenario |
 * |---|---|
 * | 0001 | sent, without any later event |
 * | 0002 | undelivered, or failed |
 * | 0003 | the number has no account on the chat app |
 * | 0004 | expired |
 * | 0402 | the account's balance is too small |
 * | 0429 | a guard's limit |
 * | 0480 | the gateway is unreachable for the moment |
 * | 0486 | busy (calls only) |
 * | 0503 | the gateway is disconnected |
 * | 0603 | declined (calls only) |
 * | any other | delivered |
 *
 * `insufficient-balance` and `limited` are played before a gateway is asked; each channel's sandbox gateway plays the others, and
 * takes those that its channel does not have for `delivered`.
 */
import {
  BusyHere,
  Decline,
  type DeliveryFailure,
  NotFound,
  ServiceUnavailable,
  TemporaryUnavailable
} from "@watchword/schemas/Errors"
import type { E164 } from "@watchword/schemas/PhoneNumber"

const scenarios = {
  "0001": "silent",
  "0002": "undelivered",
  "0003": "no-account",
  "0004": "expired",
  "0402": "insufficient-balance",
  "0429": "limited",
  "0480": "temporarily-unavailable",
  "0486": "busy",
  "0503": "unavailable",
  "0603": "declined"
} as const

export type Scenario = (typeof scenarios)[keyof typeof scenarios] | "delivered"

const isChoice = (digits: string): digits is keyof typeof scenarios => Object.hasOwn(scenarios, digits)

/** The scenario that a number chooses. */
export const scenarioOf = (to: E164): Scenario => {
  const digits = to.slice(-4)
  return isChoice(digits) ? scenarios[digits] : "delivered"
}

/** Words for the failures of a channel's gateway, and the scenarios that only some channels have. */
export interface Words {
  /** For example `carrier`. */
  readonly gateway: string
  /** For example `The number has no account on the chat app.`; left out where numbers need none. */
  readonly noAccount?: string
  /** Whether recipients can be busy and decline. */
  readonly rings?: boolean
}

/** The failure by which a gateway refuses a send at once; null where the scenario is none of refusal. */
export const refusalOf = (scenario: Scenario, { gateway, noAccount, rings = false }: Words): DeliveryFailure | null => {
  switch (scenario) {
    case "temporarily-unavailable":
      return new TemporaryUnavailable({ message: `The sandbox's ${gateway} is unreachable for the moment.` })
    case "unavailable":
      return new ServiceUnavailable({ message: `The sandbox's ${gateway} is disconnected.` })
    case "no-account":
      return noAccount === undefined ? null : new NotFound({ message: noAccount })
    case "busy":
      return rings ? new BusyHere({ message: "The recipient is busy." }) : null
    case "declined":
      return rings ? new Decline({ message: "The recipient declined the call." }) : null
    default:
      return null
  }
}
