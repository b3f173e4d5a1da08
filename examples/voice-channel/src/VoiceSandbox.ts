/**
 * The sandbox's voice gateway. The number's last digits choose the scenario, see `@watchword/sandbox/simulator`; the
 * call ends a second after the outcome is on the record.
 */
import { makeLaterEvents, makeStage, refusalOf, scenarioOf } from "@watchword/sandbox/simulator"
import { EventHub } from "@watchword/send/gateway"
import { type Predetermined, accepted, answered, predetermined, rejected } from "@watchword/send/Outcome"
import type { Stage } from "@watchword/send/Send"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { type Ended, type Message, type Service, VoiceGateway } from "./VoiceGateway.ts"

const WORDS = { gateway: "voice provider", rings: true }

export const make: Effect.Effect<Stage<Service>, never, Scope | Settings | Store> = Effect.gen(function* () {
  const hub = new EventHub<Ended, StoreError>()
  const ends = yield* makeLaterEvents(hub)

  const predetermine = ({ delivery, to }: Message): Predetermined => {
    const scenario = scenarioOf(to)
    const refusal = refusalOf(scenario, WORDS)
    if (refusal !== null) return predetermined(rejected(refusal))
    const ref = `sandbox-${delivery}`
    if (scenario === "silent") return predetermined(accepted([ref]))
    const isHeard = scenario === "delivered"
    return predetermined(accepted([ref]), ends.publish([{ ref, of: null, isHeard, listened: isHeard ? 9 : 0 }]))
  }

  const gateway = VoiceGateway.of({
    predetermine,
    send: (message) => answered(predetermine(message)),
    events: (handle) => hub.subscribe(handle),
    health: Effect.succeed([])
  })
  return yield* makeStage({ product: "voice", gateway })
})
