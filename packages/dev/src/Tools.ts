/**
 * What agents ask of a development server, on its service and its feed.
 */
import { type Event, type Verification, type Watchword, WatchwordError } from "watchword"
import { parse } from "@watchword/schemas/PhoneNumber"
import type { Codes } from "./Codes.ts"
import type { Feed } from "./Feed.ts"
import { Refused, type Tools } from "./Mcp.ts"

interface Running {
  readonly service: Watchword
  readonly caller: { readonly account: string; readonly sandbox: true }
  readonly codes: Codes
  readonly events: Events
  readonly feed: Feed
  /** Takes the next step of a verification before its time. */
  readonly step: (id: string) => Promise<Verification>
  readonly failNext: () => void
}

/** The events of a service that were last. */
export interface Events {
  readonly last: (type?: string) => Event | null
}

/** Keeps the last event of each type. */
export const keepEvents = (service: Watchword): Events => {
  const byType = new Map<string, Event>()
  service.on("*", (event) => {
    byType.delete(event.type)
    byType.set(event.type, event)
  })
  return { last: (type) => (type === undefined ? [...byType.values()].at(-1) : byType.get(type)) ?? null }
}

/** @param running the server, which is there by the time that an agent asks */
export const make = (running: () => Running): Tools => ({
  nextCode: async (wanted) => running().codes.next({ ...wanted, to: wanted.to === null ? null : numberOf(wanted.to) }),
  start: async (session, to, channels) => {
    const { caller, codes, service } = running()
    const number = numberOf(to)
    codes.passOver(session, number)
    const workflow = channels?.map((channel) => ({ channel, timeout: STEP }))
    return refusing(service.verify.start(caller, { to: number, ...(workflow === undefined ? {} : { workflow }) }))
  },
  check: (verification_id, code) => {
    const { caller, service } = running()
    return refusing(service.verify.check(caller, verification_id, { code }))
  },
  nextStep: async (session, id) => {
    const { caller, codes, feed, service, step } = running()
    const chosen = id ?? feed.pending()?.id
    if (chosen === undefined) throw new Refused("NOT_FOUND", "No verification is pending: start one first.")
    const { to } = await refusing(service.verify.get(caller, chosen))
    codes.passOver(session, to)
    return refusing(step(chosen))
  },
  setPhone: async (to, phone) => {
    const { caller, service } = running()
    return named(await refusing(service.sandbox.setPhone(caller, numberOf(to), phone)))
  },
  phones: async () => {
    const { caller, service } = running()
    return (await service.sandbox.phones(caller)).phones.map(named)
  },
  why: async (to) => {
    const { items, reason, remedy } = await refusing(running().service.operator.why({ number: numberOf(to) }))
    const lines = items.flatMap(({ at, channel, lines, status }) => [`${at} ${channel}: ${status}`, ...lines])
    return [...lines, `likely: ${reason}`, `what helps: ${remedy}`].join("\n")
  },
  lastEvent: (type) => running().events.last(type),
  failNext: () => running().failNext()
})

/** Seconds that each step of an agent's own workflow waits. */
const STEP = 30

/** Tools call a number `to`, which the interface calls `number`. */
const named = <P extends { readonly number: string }>({ number, ...phone }: P) => ({ to: number, ...phone })

const numberOf = (to: string): string => {
  const parsed = parse(to)
  if (parsed.number === null) throw new Refused("BAD_REQUEST", `to: ${parsed.message}`)
  return parsed.number
}

const refusing = async <A>(asked: Promise<A>): Promise<A> => {
  try {
    return await asked
  } catch (error) {
    throw error instanceof WatchwordError ? new Refused(error.code, error.message) : error
  }
}
