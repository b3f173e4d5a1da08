/**
 * What agents ask of a development server, on its service and its feed.
 */
import type { Watchword } from "watchword"
import type { Feed, PhoneEvent } from "./Feed.ts"
import type { Tools } from "./Mcp.ts"

interface Running {
  readonly service: Watchword
  readonly caller: { readonly account: string; readonly sandbox: true }
  readonly feed: Feed
}

/** @param running the server, which is there by the time that an agent asks */
export const make = (running: () => Running, failNext: () => void): Tools => ({
  nextCode: (to, seconds) => nextCode(running().feed, to, seconds * 1000),
  phones: async () => {
    const { caller, service } = running()
    return (await service.sandbox.phones(caller)).phones
  },
  why: async (number) => {
    const { items, reason, remedy } = await running().service.operator.why({ number })
    const lines = items.flatMap(({ at, channel, lines, status }) => [`${at} ${channel}: ${status}`, ...lines])
    return [...lines, `likely: ${reason}`, `what helps: ${remedy}`].join("\n")
  },
  failNext
})

const nextCode = (feed: Feed, to: string | null, patience: number): ReturnType<Tools["nextCode"]> =>
  new Promise((resolve) => {
    const seen = new Set<string>()
    const end = (found: Awaited<ReturnType<Tools["nextCode"]>>) => {
      clearTimeout(timer)
      off()
      resolve(found)
    }
    const timer = setTimeout(() => end(null), patience)
    const off = feed.on((event) => {
      const shown = shownIn(event)
      if (shown === null || seen.has(shown.id) || (to !== null && shown.to !== to)) return
      seen.add(shown.id)
      const { id: _, ...rest } = shown
      end(rest)
    })
  })

const shownIn = (event: PhoneEvent) => {
  if (event.type === "message" && event.message.state === "sent") {
    const { channel, code, id, text, to, verification } = event.message
    return { id, to, channel, code: code ?? codeIn(text), text, verification }
  }
  if (event.type === "call" && event.call.state === "ringing") {
    const { caller, code, id, to, verification } = event.call
    return { id, to, channel: "call", code, text: `a call from ${caller}`, verification }
  }
  return null
}

/** The digits of a text that look like a code. */
export const codeIn = (text: string | null): string | null => /(?<!\d)\d{4,8}(?!\d)/.exec(text ?? "")?.[0] ?? null
