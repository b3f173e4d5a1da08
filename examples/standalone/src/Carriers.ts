/**
 * The carriers of the setting CARRIERS, which a reload replaces while they run.
 */
import * as RouteTable from "@watchword/send/internal/routes/RouteTable"
import { RoutesError } from "@watchword/send/internal/routes/RoutesError"
import type { SmsGateway } from "@watchword/sms/SmsGateway"
import type { SmsHttpOptionsError } from "@watchword/sms/http"
import type { Composition, Opening, Setup } from "@watchword/sms/internal/carriers/Composition"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { provider } from "./Gateways.ts"
import type { Carrier, Carriers } from "./settings/CarrierSettings.ts"

export interface Running {
  readonly layer: Layer.Layer<SmsGateway, RoutesError>
  /** Puts other carriers, costs and routes into force. Fails where a connection cannot be opened, and changes nothing then. */
  readonly replace: (carriers: Carriers) => Effect.Effect<void, RoutesError>
}

/** Carriers that connect once the layer is built. */
export const open = async (first: Carriers): Promise<Running> => {
  const { make } = await import("@watchword/sms/internal/carriers/Composition")
  const { SmsGateway } = await import("@watchword/sms/SmsGateway")
  const setup = await setupOf(first)
  let running: Composition<RoutesError> | null = null
  const started = Effect.map(make(setup, true), (composition) => {
    running = composition
    return composition.service
  })
  return {
    layer: Layer.effect(SmsGateway, started),
    replace: (carriers) =>
      Effect.flatMap(
        Effect.promise(() => setupOf(carriers)),
        (next) => running?.replace(next) ?? Effect.void
      )
  }
}

export const setupOf = async ({ carriers, routes }: Carriers): Promise<Setup<RoutesError>> => {
  const openings = new Map<string, Opening<RoutesError>>()
  for (const carrier of carriers) {
    const { connection, costs, name } = carrier
    openings.set(name, { gateway: await layerOf(carrier), connection, costs })
  }
  return { carriers: openings, routes: routes.get("sms") ?? RouteTable.inOrder([]) }
}

const layerOf = async ({ name, sms }: Carrier): Promise<Layer.Layer<SmsGateway, RoutesError>> => {
  if (sms._tag === "Smpp") return (await import("@watchword/sms/smpp")).layer(sms.options)
  const path = `carriers.${name}.sms.${sms.http.provider}`
  return Layer.catchTag(await provider(sms.http), "SmsHttpOptionsError", (error) =>
    Layer.unwrap(Effect.fail(faultOf(path, error)))
  )
}

const faultOf = (path: string, { message, setting }: SmsHttpOptionsError): RoutesError =>
  new RoutesError({ path: `${path}.${setting}`, fix: message.slice(setting.length).trim().replace(/\.$/, "") })
