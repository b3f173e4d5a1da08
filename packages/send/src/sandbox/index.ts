/**
 * The sandbox's part that channels share: scenarios by a number's last digits, phones, later events, and events that
 * were due when a process died.
 *
 * | part | for |
 * |---|---|
 * | `scenarioOf`, `refusalOf` | what a number's last four digits choose |
 * | `phoneSettings`, `receiveOnPhone`, `waitForPhones` | numbers that have a phone, and messages that wait for it |
 * | `makeSandboxEvents` | receipts and statuses that follow a send |
 * | `keepCatchUp` | such events, made again from the records |
 *
 * @example
 * ```ts
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { scenarioOf } from "@watchword/send/sandbox"
 *
 * console.log(scenarioOf(E164.make("+4915123450002"))) // undelivered
 * ```
 */
export { type CatchUp, type Options as CatchUpOptions, keep as keepCatchUp } from "./SandboxCatchUp.ts"
export { type Hub, type SandboxEvents, make as makeSandboxEvents } from "./SandboxEvents.ts"
export { type Scenario, type Words, refusalOf, scenarioOf } from "./SandboxNumber.ts"
export {
  type Fate,
  type KeptPhone,
  type Network,
  type PhoneOf,
  type Reception,
  type Waiting,
  finder as phoneFinder,
  kept as keptDetails,
  phones as phoneSettings,
  receive as receiveOnPhone,
  receptionOf,
  unhandled,
  wait as waitForPhones
} from "./SandboxPhones.ts"
