/**
 * A service with live channels, on a store and on a network that brings each message to an inbox.
 */
import { Observer } from "@watchword/send/pipeline"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Watchword, createWatchword } from "watchword"
import { Inbox } from "../../packages/testing/src/Inbox.ts"
import { bizchat } from "../../packages/testing/src/internal/gateways/bizchat.ts"
import { call } from "../../packages/testing/src/internal/gateways/call.ts"
import { chatgw } from "../../packages/testing/src/internal/gateways/chatgw.ts"
import { sms } from "../../packages/testing/src/internal/gateways/sms.ts"
import { ManualClock } from "../../packages/testing/src/internal/ManualClock.ts"
import { Network } from "../../packages/testing/src/internal/Network.ts"
import { Script } from "../../packages/testing/src/internal/Script.ts"

export interface Live {
  readonly service: Watchword
  readonly inbox: Inbox
  readonly script: Script
  /** Has the receipts arrive that are under way. */
  readonly receive: () => Promise<void>
}

export const PRICE = 0.05
const PRODUCTS = ["sms", "call", "chatgw", "chatgw_probe", "bizchat"]

/** The same for all releases: codes of verifications are made of it. */
const SECRET = "5d1f0f4be5ae4e3c9f52a3c5b7a2f1c09b1e7d3a"

/** @param now the time that the service goes by, where the database does not */
export const start = async (
  store: Layer.Layer<Store, StoreError>,
  now: () => number = () => Date.now()
): Promise<Live> => {
  const clock = new ManualClock(now())
  const script = new Script()
  const inbox = new Inbox()
  const network = new Network({ clock, script, inbox, run: async (effect) => Effect.runPromise(effect) })
  const service = await createWatchword({
    store,
    secret: SECRET,
    clock: { now },
    prices: Object.fromEntries(PRODUCTS.map((name) => [name, { "*": PRICE }])),
    webhooks: { allowPrivate: true },
    background: false,
    observability: Layer.succeed(Observer, network.observe),
    sms: sms(network),
    call: call(network),
    chatgw: chatgw(network),
    bizchat: bizchat(network)
  })
  const nothing = { nextDue: () => null, maintain: async () => {}, settled: async () => {} }
  return { service, inbox, script, receive: () => clock.advance(60_000, nothing) }
}
