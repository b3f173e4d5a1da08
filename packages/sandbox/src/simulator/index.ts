/**
 * The simulator of a service: it plays the sends of sandbox keys.
 *
 * | part | for |
 * |---|---|
 * | `layer` | the simulator, behind the pipeline of sends |
 * | `SandboxLimit`, `SandboxFault`, `SandboxRefusals` | as many sends as may be under way, a failure to play, and what hears of refusals |
 *
 * @example
 * ```ts
 * import { SandboxRefusals } from "@watchword/sandbox/simulator"
 * import * as Layer from "effect/Layer"
 *
 * const shown = Layer.succeed(SandboxRefusals, ({ channel, failure, to }) => console.log(channel, to, failure.message))
 * ```
 */
import { Simulator } from "@watchword/send/Send"
import * as Layer from "effect/Layer"
import * as Playing from "../internal/simulator/Playing.ts"

export { type SandboxRefusal, SandboxFault, SandboxLimit, SandboxRefusals } from "../internal/simulator/Playing.ts"

/** Sends of sandbox keys are played by it. */
export const layer: Layer.Layer<never> = Layer.effect(Simulator, Playing.make)
