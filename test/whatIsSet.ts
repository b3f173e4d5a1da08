/**
 * The optional services of sends, for test fixtures: the services that a test provides around it, and no others except
 * the simulator.
 */
import * as Simulator from "@watchword/sandbox/simulator"
import { DeliveryChanges, InstallationSecret, Watchers, noDeliveryChanges } from "@watchword/send/pipeline"
import { SendGuard } from "@watchword/send/SendGuard"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const setOr = <I, S>(service: Context.Key<I, S>, otherwise: S): Layer.Layer<I> =>
  Layer.effect(
    service,
    Effect.map(
      Effect.serviceOption(service),
      Option.getOrElse(() => otherwise)
    )
  )

export const whatIsSet = Layer.mergeAll(
  setOr(DeliveryChanges, noDeliveryChanges),
  setOr(InstallationSecret, []),
  setOr(SendGuard, null),
  setOr(Watchers, null),
  Layer.suspend(() => Layer.fresh(Simulator.layer))
)
