/**
 * Compositions of carriers for tests: two message centres, and a provider over HTTP.
 */
import { type CarriersOptions, type Carrier, carriers } from "@watchword/sms/carriers"
import { twilio } from "@watchword/sms/http"
import { type Service, SmsGateway } from "@watchword/sms/SmsGateway"
import { smpp } from "@watchword/sms/smpp"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventually } from "../../../../test/live.ts"
import * as dialects from "../http/dialects.ts"
import { acquire, startProvider, startReceiver } from "../http/simulator.ts"
import type { Smsc } from "@watchword/sandbox/smsc"

/** A gateway whose carriers are all connected. */
export const startCarriers = Effect.fnUntraced(function* <const Errors extends Readonly<Record<string, unknown>>>(
  byName: { readonly [Name in keyof Errors]: Carrier<Errors[Name]> | Layer.Layer<SmsGateway, Errors[Name]> },
  options?: CarriersOptions
) {
  const gateway = Context.get(yield* Layer.build(carriers(byName, options)), SmsGateway)
  yield* allUp(gateway)
  return gateway
})

const allUp = (gateway: Service): Effect.Effect<void> =>
  eventually(Effect.map(gateway.health, (connections) => connections.every(({ up }) => up)))

export const isUp = (gateway: Service, name: string, up: boolean): Effect.Effect<void> =>
  eventually(
    Effect.map(gateway.health, (connections) =>
      connections.every((connection) => !connection.name.startsWith(`${name}/`) || connection.up === up)
    )
  )

/** A carrier over SMPP. Its links have a second to answer. */
export const link = (carrier: Smsc, query = "timeout=1") => smpp({ url: carrier.url(query) })

/** A provider over HTTP, the carrier of it, and where its receipts arrive. */
export const startTwilio = Effect.gen(function* () {
  const receiver = yield* acquire(startReceiver)
  const provider = yield* acquire(() => startProvider(dialects.twilio))
  const gateway = twilio({
    accountSid: dialects.ACCOUNT,
    authToken: dialects.AUTH_TOKEN,
    baseUrl: provider.url(),
    callbackUrl: receiver.url
  })
  return { gateway, provider, receiver }
})
