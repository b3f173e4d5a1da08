/**
 * What is around the service: a carrier for SMS by SMPP, a trunk for calls by SIP, two chat platforms, and a customer's
 * receiver of webhooks. They show messages on phones, and report to the service as their originals do.
 */
import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { notification, startWhatsApp } from "../../packages/bizchat/test/whatsapp/server.ts"
import { trunk as startTrunk, type Trunk } from "@watchword/sandbox/trunk"
import { header } from "@watchword/sandbox/trunk/wire"
import { startTelegram } from "../../packages/chatgw/test/telegram/server.ts"
import { type Receiver, closeReceivers, receive } from "../../packages/events/test/receiver.ts"
import { smsc, type Smsc, receipt } from "@watchword/sandbox/smsc"
import type { Phones } from "./Phones.ts"
import type { Environment } from "./Service.ts"
import { next } from "./draws.ts"

export interface Carriers {
  readonly settings: Environment
  readonly secrets: Environment
  readonly webhooks: Receiver
  /** Whether the receiver of webhooks answers 204, or 503. */
  takeWebhooks: (takes: boolean) => void
  /** Closes the SMS carrier's port and every connection. */
  readonly smsDown: () => void
  readonly smsUp: () => Promise<void>
  /** Has the SMS carrier take so many milliseconds for each answer. */
  readonly smsSlow: (milliseconds: number) => void
  /** Begins to report what becomes of chats, to an origin of the service that is asked for each report. */
  readonly reportTo: (next: () => string) => void
  readonly close: () => Promise<void>
}

const TOKEN = { chatgw: "AAEAtokenOfTheChatGateway", bizchat: "EAAGtokenOfTheBusinessChat", app: "secret of the app" }

export const open = async (phones: Phones): Promise<Carriers> => {
  const sms = await smsCarrier(phones)
  const trunk = await trunkFor(phones)
  const telegram = await startTelegram({ token: TOKEN.chatgw })
  const whatsApp = await startWhatsApp(TOKEN.bizchat)
  let takes = true
  const webhooks = await receive((response) => response.writeHead(takes ? 204 : 503).end())
  const stop = new AbortController()
  const reports = new Set<Promise<void>>()

  /** Reports until the service has taken it, as gateways do. */
  const report = (post: () => Promise<number>): void => {
    const reported = (async () => {
      await delay(200 + next() * 600)
      while (!stop.signal.aborted && (await post().catch(() => 0)) !== 200) await delay(500)
    })()
    reports.add(reported)
    void reported.finally(() => reports.delete(reported))
  }

  const watchChats = async (next: () => string): Promise<void> => {
    const seen = new Set<string>()
    while (!stop.signal.aborted) {
      for (const { code, phone_number, request_id } of telegram.requests.values()) {
        if (code === null || seen.has(request_id)) continue
        seen.add(request_id)
        phones.show(phone_number, { channel: "chatgw", code })
        report(() => telegram.callBack(request_id, { delivery: "delivered" }, { to: `${next()}/v1/chatgw/events` }))
      }
      for (const { body, id, to } of whatsApp.messages) {
        if (seen.has(id)) continue
        seen.add(id)
        phones.show(to, { channel: "bizchat", code: codeIn(JSON.stringify(body["template"])) })
        report(() => tell(`${next()}/v1/bizchat/events`, id))
      }
      await delay(50)
    }
  }

  return {
    settings: {
      SIP_URL: trunk.url("keepalive=2"),
      CHATGW_URL: telegram.url,
      BIZCHAT_URL: whatsApp.url,
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
    reportTo: (next) => void watchChats(next),
    close: async () => {
      stop.abort()
      await Promise.all(reports)
      await Promise.all([sms.stop(), trunk.stop(), telegram.close(), whatsApp.close(), closeReceivers()])
    }
  }
}

/** Its receipts come within a second, also those of messages whose answer the service did not hear. */
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

const tell = async (url: string, id: string): Promise<number> => {
  const { body, signature } = notification([{ id, status: "delivered" }], TOKEN.app)
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-hub-signature-256": signature ?? "" },
    body: Buffer.from(body)
  })
  await response.arrayBuffer()
  return response.status
}

export const codeIn = (text: string): string | null => /\b\d{6}\b/.exec(text)?.[0] ?? null
