/**
 * Gateways to the simulated providers, with a webhook on a port of its own.
 */
import { type CommonOptions, generic, twilio, vonage } from "@watchword/sms/http"
import { SmsGateway } from "@watchword/sms/SmsGateway"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as dialects from "./dialects.ts"
import { acquire, startProvider, startReceiver } from "./simulator.ts"

export const providers = {
  twilio: {
    dialect: dialects.twilio,
    layer: (options: CommonOptions) =>
      twilio({ accountSid: dialects.ACCOUNT, authToken: dialects.AUTH_TOKEN, ...options })
  },
  vonage: {
    dialect: dialects.vonage,
    layer: (options: CommonOptions) =>
      vonage({
        apiKey: dialects.API_KEY,
        apiSecret: dialects.API_SECRET,
        signatureSecret: dialects.SIGNATURE_SECRET,
        ...options
      })
  },
  generic: {
    dialect: dialects.acme,
    layer: ({ baseUrl, ...options }: CommonOptions) =>
      generic({
        description: { ...dialects.acmeDescription, url: `${baseUrl}/messages` },
        token: dialects.ACME_TOKEN,
        signatureSecret: dialects.ACME_SECRET,
        ...options
      })
  }
} as const

export type ProviderName = keyof typeof providers

export const names: ReadonlyArray<ProviderName> = ["twilio", "vonage", "generic"]

/** A provider, a gateway to it, and where its receipts arrive. */
export const startGateway = Effect.fnUntraced(function* (name: ProviderName, options: CommonOptions = {}) {
  const { dialect, layer } = providers[name]
  const receiver = yield* acquire(startReceiver)
  const provider = yield* acquire(() => startProvider(dialect, dialects.refusals[name]))
  const context = yield* Layer.build(layer({ baseUrl: provider.url(), callbackUrl: receiver.url, ...options }))
  const gateway = Context.get(context, SmsGateway)
  receiver.serve(gateway.webhook)
  return { gateway, provider, receiver }
})
