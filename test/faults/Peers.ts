/**
 * The service's peers: a carrier, a trunk, two chat platforms and a webhook receiver, with one log for all of them.
 */
import { Arrivals } from "./Arrivals.ts"
import { type Carrier, openCarrier } from "./peers/carrier.ts"
import { type Chats, TOKENS, openChatgws } from "./peers/chats.ts"
import { type WebhookReceiver, openReceiver } from "./peers/receiver.ts"
import { type Trunk, openTrunk } from "./peers/trunk.ts"

export interface Peers {
  readonly arrivals: Arrivals
  readonly carrier: Carrier
  readonly trunk: Trunk
  readonly chats: Chats
  readonly receiver: WebhookReceiver
  /** The settings of a server that uses these peers. */
  readonly settings: Readonly<Record<string, string>>
  /** Returns all peers to normal behaviour. */
  readonly calm: () => Promise<void>
  readonly close: () => Promise<void>
}

/** @param origin the server that chat platforms currently report to */
export const openPeers = async (seed: number, origin: () => string): Promise<Peers> => {
  const arrivals = new Arrivals()
  const carrier = await openCarrier(arrivals, seed)
  const trunk = await openTrunk(arrivals, seed)
  const chats = await openChatgws(arrivals, seed, origin)
  const receiver = await openReceiver()
  return {
    arrivals,
    carrier,
    trunk,
    chats,
    receiver,
    settings: {
      SMPP_URL: carrier.url,
      SIP_URL: trunk.url,
      CHATGW_URL: chats.urls.chatgw,
      CHATGW_TOKEN: TOKENS.chatgw,
      BIZCHAT_URL: chats.urls.bizchat,
      BIZCHAT_TOKEN: TOKENS.bizchat,
      BIZCHAT_APP_SECRET: TOKENS.app,
      BIZCHAT_PHONE_NUMBER_ID: "106540352242922",
      BIZCHAT_TEMPLATE: "otp",
      WEBHOOK_ALLOW_PRIVATE: "true"
    },
    calm: async () => {
      carrier.mood = null
      trunk.loss = 0
      receiver.temper = "takes"
      await carrier.mend()
    },
    close: async () => {
      await Promise.all([carrier.close(), trunk.close(), chats.close(), receiver.close()])
    }
  }
}
