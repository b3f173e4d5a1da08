/**
 * The service's peers: a carrier for SMS over SMPP, a trunk for calls over SIP, two chat platforms, and a customer's
 * webhook receiver. They show messages on phones, and report to the service as the real ones do.
 */
import { once } from "node:events"
import { telegramApi, whatsAppApi } from "@watchword/sandbox/http"
import { trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { header } from "@watchword/sandbox/trunk"
import { type Receiver, closeReceivers, receive } from "../../packages/events/test/receiver.ts"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import type { Phones } from "./Phones.ts"
import type { Environment } from "./Service.ts"
import { next } from "./draws.ts"

export interface Carriers {
  readonly settings: Environment
  readonly secrets: Environment
  readonly webhooks: Receiver
  /** Whether the webhook receiver answers 204 or 503. */
  takeWebhooks: (takes: boolean) => void
  /** Closes the SMS carrier's port and every connection. */
  readonly smsDown: () => void
  readonly smsUp: () => Promise<void>
  /** Makes the SMS carrier take this many milliseconds for each answer. */
  readonly smsSlow: (milliseconds: number) => void
  /** Starts to report statuses of chat messages; `next` gives the service's origin for each report. */
  readonly reportTo: (next: () => string) => void
  readonly close: () => Promise<void>
}

const TOKEN = { chatgw: "AAEAtokenOfTheChatGateway", bizchat: "EAAGtokenOfTheBusinessChat", app: "secret of the app" }

/** Milliseconds until a report that the service has not accepted is sent again. */
const RETRY = 500

export const open = async (phones: Phones): Promise<Carriers> => {
  const sms = await smsCarrier(phones)
  const trunk = await trunkFor(phones)
  let origin = () => ""
  const after = () => 200 + next() * 600
  const telegram = await telegramApi({
    token: TOKEN.chatgw,
    retry: RETRY,
    callbackUrl: () => `${origin()}/v1/chatgw/events`,
    script: {
      reports: ({ code, to }) => {
        phones.show(to, { channel: "chatgw", code })
        return [{ after: after(), delivery: "delivered" }]
      }
    }
  })
  const whatsApp = await whatsAppApi({
    token: TOKEN.bizchat,
    appSecret: TOKEN.app,
    retry: RETRY,
    callbackUrl: () => `${origin()}/v1/bizchat/events`,
    script: {
      reports: ({ body, to }) => {
        phones.show(to, { channel: "bizchat", code: codeIn(JSON.stringify(body["template"])) })
        return [{ after: after(), status: "delivered" }]
      }
    }
  })
  let takes = true
  const webhooks = await receive((response) => response.writeHead(takes ? 204 : 503).end())

  return {
    settings: {
      SIP_URL: trunk.url("keepalive=2"),
      CHATGW_URL: telegram.url(),
      BIZCHAT_URL: whatsApp.url(),
      BIZCHAT_PHONE_NUMBER_ID: "106540352242922",
      BIZCHAT_TEMPLATE: "otp",
      WEBHOOK_ALLOW_PRIVATE: "true"
    },
    secrets: {
      SMPP_URL: sms.url("timeout=5"),
      CHATGW_TOKEN: TOKEN.chatgw,
      BIZCHAT_TOKEN: TOKEN.bizchat,
      BIZCHAT_APP_SECRET: TOKEN.app
    },
    webhooks,
    takeWebhooks: (next) => void (takes = next),
    ...outages(sms),
    reportTo: (next) => void (origin = next),
    close: async () => {
      await Promise.all([sms.stop(), trunk.stop(), telegram.stop(), whatsApp.stop(), closeReceivers()])
    }
  }
}

/** Its receipts come within a second, even for messages whose answer never reached the service. */
export const smsCarrier = (phones: Phones): Promise<Smsc> =>
  smsc({
    script: {
      submit: ({ text, to }) => {
        phones.show(to, { channel: "sms", code: codeIn(text) })
        return { after: next() * 30 }
      },
      receipt: (submit) => receipt(submit, "DELIVRD", 200 + next() * 800)
    }
  })

/** Its phones ring until the caller hangs up; the code is in the caller's number. */
const trunkFor = (phones: Phones): Promise<Trunk> =>
  startTrunk({
    script: {
      invite: (call) => {
        call.respond(100)
        call.respond(180)
        const caller = /sips?:\+?(\d+)@/.exec(header(call.invite, "from"))?.[1] ?? ""
        phones.show(call.callee, { channel: "call", code: caller.slice(-6) })
      }
    }
  })

const outages = (sms: Smsc): Pick<Carriers, "smsDown" | "smsUp" | "smsSlow"> => {
  const { port, script } = sms
  const { submit } = script
  return {
    smsSlow: (milliseconds) => {
      script.submit = async (message) => {
        await submit(message)
        return { after: milliseconds }
      }
    },
    smsDown: () => {
      sms.server.close()
      for (const { socket } of sms.sessions) socket.destroy()
    },
    smsUp: async () => {
      sms.server.listen(port, "127.0.0.1")
      await once(sms.server, "listening")
    }
  }
}

export const codeIn = (text: string): string | null => /\b\d{6}\b/.exec(text)?.[0] ?? null
