/**
 * The two chat platforms. They show messages, and report on them until the service has taken the report.
 */
import { type Answer, telegramApi, whatsAppApi, whatsAppError } from "@watchword/sandbox/http"
import { answer, late } from "../../provider.ts"
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

/** Milliseconds after which a report that was not taken is sent again. */
const RETRY = 150

export interface Chats {
  readonly urls: { readonly chatgw: string; readonly bizchat: string }
  /** Has both take some messages and close the connection before they answer. */
  readonly drop: (count: number) => void
  /** Has both answer some messages with an error of their own, and take none. */
  readonly fail: (count: number) => void
  readonly close: () => Promise<void>
}

/** @param origin the server that reports are sent to at that moment */
export const openChatgws = async (arrivals: Arrivals, seed: number, origin: () => string): Promise<Chats> => {
  const known = new Map<string, Arrival>()

  /** Notes a message by its platform's id, and gives the statuses that are reported of it. */
  const show = (id: string, arrival: Parameters<Arrivals["add"]>[0]) => {
    const random = randomOf(seed, arrival.number)
    const statuses = weighed(random, REPORTS)
    const shown = arrivals.add(arrival)
    known.set(id, shown)
    shown.owed += statuses.length
    const first = 50 + random.below(400)
    return statuses.map((status, nth) => ({ status, after: nth === 0 ? first : 0 }))
  }

  const acknowledged = ({ id }: { readonly id: string }, status: number | null): void => {
    const arrival = known.get(id)
    if (arrival !== undefined && status === 200) arrival.told++
  }

  const telegram = await telegramApi({
    token: TOKENS.chatgw,
    retry: RETRY,
    callbackUrl: () => `${origin()}/v1/chatgw/events`,
    script: {
      acknowledged,
      reports: ({ code, id, payload, to }) => {
        const about = { channel: "chatgw", number: e164(to), identity: id, delivery: payload ?? null } as const
        const reports = show(id, { ...about, part: 1, code, taken: true })
        return reports.map(({ after, status }) => ({ after, delivery: status }))
      }
    }
  })
  const whatsApp = await whatsAppApi({
    token: TOKENS.bizchat,
    appSecret: TOKENS.app,
    retry: RETRY,
    callbackUrl: () => `${origin()}/v1/bizchat/events`,
    script: {
      acknowledged,
      reports: ({ body, id, to }) => {
        const named = body["biz_opaque_callback_data"]
        const delivery = typeof named === "string" ? named : null
        const code = codeIn(JSON.stringify(body["template"]))
        const about = { channel: "bizchat", number: e164(to), identity: delivery ?? id, delivery } as const
        return show(id, { ...about, part: 1, code, taken: true })
      }
    }
  })

  return {
    urls: { chatgw: telegram.url(), bizchat: whatsApp.url() },
    drop: (count) => {
      for (let nth = 0; nth < count; nth++) {
        const fault: Answer = nth % 2 === 0 ? "drop" : "break off"
        telegram.once(late(fault))
        whatsApp.once(late(fault))
      }
    },
    fail: (count) => {
      for (let nth = 0; nth < count; nth++) {
        telegram.once(nth % 2 === 0 ? answer(502, "bad gateway") : "drop")
        whatsApp.once(nth % 2 === 0 ? whatsAppError(131_026) : whatsAppError(130_429))
      }
    },
    close: async () => {
      await Promise.all([telegram.stop(), whatsApp.stop()])
    }
  }
}
