/**
 * The simulator of a service: it plays the sends of sandbox keys, by the phones of their numbers or by the last digits.
 *
 * | part | for |
 * |---|---|
 * | `layer` | the simulator, behind the pipeline of sends and the gateways of channels |
 * | `smsSandbox`, `callSandbox`, `chatSandbox`, `businessChatSandbox` | where each channel's sends are played |
 * | `makeStage` | the same for a channel of your own, `Gateways.make` takes it |
 * | `scenarioOf`, `refusalOf`, `outcomeByNumber`, `outcomes` | the outcomes that a number's last four digits choose, and that a test can ask for |
 * | `phoneFinder`, `receiveOnPhone`, `waitForPhones` | numbers that have a phone, and messages that wait for it |
 * | `makeLaterEvents` | receipts and statuses that follow a send |
 * | `telegramProvider` | Telegram for Telegram Login: a page at which any number signs in |
 * | `SandboxLimit`, `faults` | as many sends as may be under way; failures to play, and what hears of refusals |
 *
 * @example
 * ```ts
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { scenarioOf } from "@watchword/sandbox/simulator"
 *
 * console.log(scenarioOf(E164.make("+4915123450002"))) // undelivered
 * ```
 */
import { BizchatGateway } from "@watchword/bizchat/BizchatGateway"
import { CallGateway } from "@watchword/call/CallGateway"
import { ChatgwGateway } from "@watchword/chatgw/ChatgwGateway"
import { Simulator, stageOf } from "@watchword/send/Send"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as BizchatSandbox from "../internal/gateways/BizchatSandbox.ts"
import * as CallSandbox from "../internal/gateways/CallSandbox.ts"
import * as ChatgwSandbox from "../internal/gateways/ChatgwSandbox.ts"
import * as SmsSandbox from "../internal/gateways/SmsSandbox.ts"
import * as Playing from "../internal/simulator/Playing.ts"
import { Networks } from "../internal/simulator/Stages.ts"

export { make as businessChatSandbox } from "../internal/gateways/BizchatSandbox.ts"
export { make as callSandbox } from "../internal/gateways/CallSandbox.ts"
export { make as chatSandbox } from "../internal/gateways/ChatgwSandbox.ts"
export { provider as telegramProvider } from "../internal/login/Provider.ts"
export { make as smsSandbox } from "../internal/gateways/SmsSandbox.ts"
export { type Hub, type LaterEvents, make as makeLaterEvents } from "../internal/simulator/LaterEvents.ts"
export { type Faults, type SandboxRefusal, layer as faults } from "../internal/simulator/Faults.ts"
export { SandboxLimit } from "../internal/simulator/Playing.ts"
export {
  type Fate,
  type Network,
  type PhoneOf,
  type Reception,
  type Waiting,
  finder as phoneFinder,
  kept as keptDetails,
  receive as receiveOnPhone,
  receptionOf,
  unhandled,
  wait as waitForPhones
} from "../internal/simulator/Receptions.ts"
export {
  type CallOutcome,
  type ChannelName,
  type ChatgwOutcome,
  type Outcome,
  type Outcomes,
  type Scenario,
  type TextOutcome,
  type Words,
  outcomeByNumber,
  outcomes,
  refusalOf,
  scenarioOf
} from "../internal/simulator/Outcomes.ts"
export { type Played, make as makeStage } from "../internal/simulator/Stages.ts"

const stages: Context.Context<never> = Context.make(stageOf(SmsGateway), SmsSandbox.make).pipe(
  Context.add(stageOf(CallGateway), CallSandbox.make),
  Context.add(stageOf(ChatgwGateway), ChatgwSandbox.make),
  Context.add(stageOf(BizchatGateway), BizchatSandbox.make)
)

/** Sends of sandbox keys are played by it. */
export const layer: Layer.Layer<never> = Layer.merge(
  Layer.effect(
    Simulator,
    Effect.map(Playing.make, (playing) => ({ ...playing, stages }))
  ),
  Layer.sync(Networks, () => new Map())
)
