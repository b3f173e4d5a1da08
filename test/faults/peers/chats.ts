/**
 * The two chat platforms. They show messages, and report on them until the service has taken the report.
 */
import { setTimeout as delay } from "node:timers/promises"
import { notification, startWhatsApp, error as refusal } from "../../../packages/bizchat/test/whatsapp/server.ts"
import { startTelegram } from "../../../packages/chatgw/test/telegram/server.ts"
import { type Fault, answer, breakOff, drop } from "../../provider.ts"
import { type Arrival, type Arrivals, codeIn, e164 } from "../Arrivals.ts"
import { randomOf, weighed } from "../seeds.ts"

export const TOKENS = {
  chatgw: "AAEAtokenOfTheChatGateway",
  bizchat: "EAAGtokenOfTheBusinessChat",
  app: "secret-of-the-app-of-the-business-chat"
}

/** The reports of a message: once, twice, in the wrong order. */
const REPORTS: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
  [60, ["delivered"]],
  [10, ["delivered", "delivered"]],
  [10, ["delivered", "read"]],
  [10, ["read", "delivered"]]
]

export interface Chats {
  readonly urls: { readonly chatgw: string; readonly bizchat: string }
  /** Has both take some messages and close the connection before they answer. */
  readonly drop: (count: number) => void
  /** Has both answer some messages with an error of their own, and take none. */
  readonly fail: (count: number) => void
  readonly close: () => Promise<void>
}

/** @param origin the server that reports are sent to at that moment */
export const openChats = async (arrivals: Arrivals, seed: number, origin: () => string): Promise<Chats> => {
  const telegram = await startTelegram({ token: TOKENS.chatgw })
  const whatsApp = await startWhatsApp(TOKENS.bizchat)
  const stop = new AbortController()
  const seen = new Set<string>()

  const report = async (arrival: Arrival, post: (status: string) => Promise<number>): Promise<void> => {
    const random = randomOf(seed, arrival.number)
    const statuses = weighed(random, REPORTS)
    arrival.owed += statuses.length
    await delay(50 + random.below(400))
    for (const status of statuses) {
      while (!stop.signal.aborted && (await post(status).catch(() => 0)) !== 200) await delay(150)
      arrival.told++
    }
  }

  const look = (): void => {
    for (const { code, payload, phone_number: number, request_id: id } of telegram.requests.values()) {
      if (code === null || seen.has(id)) continue
      seen.add(id)
      const about = { channel: "chatgw", number: e164(number), identity: id, delivery: payload ?? null } as const
      const arrival = arrivals.add({ ...about, part: 1, code, taken: true })
      void report(arrival, (delivery) => telegram.callBack(id, { delivery }, { to: `${origin()}/v1/chatgw/events` }))
    }
    for (const { body, id, to } of whatsApp.messages) {
      if (seen.has(id)) continue
      seen.add(id)
      const named = body["biz_opaque_callback_data"]
      const delivery = typeof named === "string" ? named : null
      const code = codeIn(JSON.stringify(body["template"]))
      const about = { channel: "bizchat", number: e164(to), identity: delivery ?? id, delivery } as const
      const arrival = arrivals.add({ ...about, part: 1, code, taken: true })
      void report(arrival, (status) => tell(`${origin()}/v1/bizchat/events`, { id, status, ...naming(named) }))
    }
  }
  const watching = (async () => {
    while (!stop.signal.aborted) {
      look()
      await delay(15)
    }
  })()

  /** Takes the message that was just posted, and then misbehaves. */
  const takenBy =
    (fault: Fault): Fault =>
    (response, request) => {
      const body = whatsApp.calls.at(-1)?.body ?? {}
      whatsApp.messages.push({ id: `wamid.${whatsApp.messages.length + 1}`, to: String(body["to"]), body })
      fault(response, request)
    }

  return {
    urls: { chatgw: telegram.url, bizchat: whatsApp.url },
    drop: (count) => {
      for (let nth = 0; nth < count; nth++) {
        const fault = nth % 2 === 0 ? drop : breakOff
        telegram.failLate(fault)
        whatsApp.fail(takenBy(fault))
      }
    },
    fail: (count) => {
      for (let nth = 0; nth < count; nth++) {
        telegram.fail(nth % 2 === 0 ? answer(502, "bad gateway") : drop)
        whatsApp.fail(nth % 2 === 0 ? refusal(131_026) : refusal(130_429))
      }
    },
    close: async () => {
      stop.abort()
      await watching
      await Promise.all([telegram.close(), whatsApp.close()])
    }
  }
}

const naming = (named: unknown) => (typeof named === "string" ? { biz_opaque_callback_data: named } : {})

const tell = async (url: string, status: object): Promise<number> => {
  const { body, signature } = notification([status], TOKENS.app)
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature }
  const response = await fetch(url, { method: "POST", headers, body: Buffer.from(body) })
  await response.arrayBuffer()
  return response.status
}
