/**
 * The codes that the phones of a development server have shown, and which of them each agent has been given.
 */
import type { Feed, PhoneEvent } from "./Feed.ts"

/** A code as a phone shows it. */
export interface Shown {
  readonly to: string
  readonly channel: string
  readonly code: string
  readonly text: string | null
  readonly verification_id: string | null
  /** ISO 8601. */
  readonly at: string
}

export interface Answer {
  readonly found: Shown | null
  /** One sentence about the code, or about why there is no code. */
  readonly note: string
}

export interface Wanted {
  /** The MCP session of the agent. */
  readonly session: string
  /** A number in E.164 form; null for any. */
  readonly to: string | null
  /** How long to wait for a code that is still to come. */
  readonly seconds: number
  /** Ends the wait of an agent that has gone, so that its code is left for the next one. */
  readonly signal: AbortSignal
}

export interface Codes {
  /** The newest code that the session has not received yet. Waits for the next code if the session has them all. */
  readonly next: (wanted: Wanted) => Promise<Answer>
  /** Marks all codes to a number as received by a session, because the session asks for another code now. */
  readonly passOver: (session: string, to: string) => void
}

/** How many codes are kept: the newest. */
const MOST = 1_000

/** How long a code is useful, in seconds: as long as a verification lasts by default. */
const REACH = 600

/** Positions in the order of all codes: the session needs no code up to these. */
interface Given {
  all: number
  readonly byNumber: Map<string, number>
}

interface Entry {
  readonly place: number
  readonly shown: Shown
}

/** The number of sessions whose codes are remembered. */
const SESSIONS = 100

export const follow = (feed: Feed, now: () => number = Date.now): Codes => {
  const entries: Array<Entry> = []
  const ids = new Set<string>()
  const sessions = new Map<string, Given>()
  const news = new Set<() => void>()
  let places = 0

  feed.on((event) => {
    const read = shownIn(event)
    if (read === null || ids.has(read.id)) return
    ids.add(read.id)
    entries.push({ place: ++places, shown: read.shown })
    if (entries.length > MOST) entries.shift()
    for (const look of news) look()
  })

  const givenTo = (session: string): Given => {
    const given = sessions.get(session) ?? { all: 0, byNumber: new Map<string, number>() }
    sessions.set(session, given)
    const [oldest] = sessions.keys()
    if (oldest !== undefined && sessions.size > SESSIONS) sessions.delete(oldest)
    return given
  }

  const take = ({ session, to }: Wanted): Shown | null => {
    const given = givenTo(session)
    const isNew = ({ place, shown }: Entry) =>
      (to === null ? place > given.all : shown.to === to) &&
      place > (given.byNumber.get(shown.to) ?? 0) &&
      now() - Date.parse(shown.at) <= REACH * 1_000
    const entry = entries.findLast(isNew)
    if (entry === undefined) return null
    // Older codes to the number are out of date.
    given.byNumber.set(entry.shown.to, entry.place)
    if (to === null) given.all = entry.place
    return entry.shown
  }

  const next = (wanted: Wanted): Promise<Answer> =>
    new Promise((resolve) => {
      const end = (found: Shown | null) => {
        clearTimeout(timer)
        news.delete(look)
        wanted.signal.removeEventListener("abort", leave)
        resolve({ found, note: found === null ? without(wanted) : `Sent by ${found.channel} ${ago(found)}.` })
      }
      const look = () => {
        const found = take(wanted)
        if (found !== null) end(found)
      }
      const leave = () => end(null)
      const timer = setTimeout(leave, wanted.seconds * 1_000)
      wanted.signal.addEventListener("abort", leave)
      news.add(look)
      look()
    })

  const ago = ({ at }: Shown) => {
    const seconds = Math.max(0, Math.round((now() - Date.parse(at)) / 1_000))
    return seconds < 120 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} minutes ago`
  }

  /** The note for an agent that gets no code. */
  const without = ({ seconds, to }: Wanted): string => {
    const none = `No new code${to === null ? "" : ` to ${to}`} in ${seconds} s.`
    const own = entries.findLast(({ shown }) => to === null || shown.to === to)
    if (own !== undefined) {
      const { channel, to: number } = own.shown
      const isOld = now() - Date.parse(own.shown.at) > REACH * 1_000
      const why = isOld ? "which is too long" : "and this session has it, or has asked for another since"
      return `${none} The newest to ${number} was sent by ${channel} ${ago(own.shown)}, ${why}.`
    }
    const other = entries.at(-1)
    if (other === undefined)
      return `${none} The server has sent no code since it started: the tool \`why\` shows what happened to a number.`
    return `${none} The server has sent no code to that number since it started; the newest went to ${other.shown.to} ${ago(other.shown)}.`
  }

  return {
    next,
    passOver: (session, to) => void givenTo(session).byNumber.set(to, places)
  }
}

const shownIn = (event: PhoneEvent): { readonly id: string; readonly shown: Shown } | null => {
  if (event.type === "message" && isOnPhone.has(event.message.state)) {
    const { at, channel, code, id, text, to, verification } = event.message
    const read = code ?? codeIn(text)
    return read === null ? null : { id, shown: { to, channel, code: read, text, verification_id: verification, at } }
  }
  if (event.type === "call" && event.call.state === "ringing") {
    const { at, caller, code, id, to, verification } = event.call
    if (code === null) return null
    const text = `a call from ${caller}`
    return { id, shown: { to, channel: "call", code, text, verification_id: verification, at } }
  }
  return null
}

/** The states of messages that a phone shows: a message that its carrier keeps is not there yet. */
const isOnPhone: ReadonlySet<string> = new Set(["sent", "delivered", "read"])

/** The digits of a text that look like a code. */
export const codeIn = (text: string | null): string | null => /(?<!\d)\d{4,10}(?!\d)/.exec(text ?? "")?.[0] ?? null
