/**
 * Failures that a development server plays, and the listener for refused sandbox sends.
 */
import type { DeliveryFailure } from "@watchword/schemas/Errors"
import { predetermined, rejected } from "@watchword/send/Outcome"
import type { Request } from "@watchword/send/Send"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Around } from "./Playing.ts"

/** A send of the sandbox that was refused. */
export interface SandboxRefusal {
  readonly channel: string
  readonly to: string
  readonly failure: DeliveryFailure
  /** Whether it met a failure of {@link Faults}. */
  readonly isPlayed: boolean
}

export interface Faults {
  /** The failure that the next send of the sandbox is to meet; null for none. */
  readonly next: () => DeliveryFailure | null
  /** Hears of each send that was refused, once that is on the record. */
  readonly refused: (refusal: SandboxRefusal) => void
}

/** Has the simulator of a service play failures. */
export const layer = ({ next, refused }: Faults): Layer.Layer<never> =>
  Layer.succeed(Around, (request) => {
    const predetermine: Request["predetermine"] = (delivery) => {
      const failure = next()
      const found = failure === null ? (request.predetermine?.(delivery) ?? null) : predetermined(rejected(failure))
      if (found?.outcome._tag !== "Rejected") return found
      const { channel, to } = request
      const refusal = { channel, to, failure: found.outcome.failure, isPlayed: failure !== null }
      return {
        ...found,
        afterwards: Effect.andThen(
          Effect.sync(() => refused(refusal)),
          found.afterwards
        )
      }
    }
    return { ...request, predetermine }
  })
