/**
 * The feed of an account: all things of its sandbox as they were read last, and in which order they have changed.
 *
 * The store is read and compared with the previous read, so it includes changes by other processes, and no send writes
 * events for it. A cursor names a feed and a place in it; one of another feed, as of another process, is answered with
 * everything.
 */
import type { PhoneEvent, PhoneEvents } from "@watchword/schemas/SandboxPhone"

/** How many things that are gone a feed remembers. */
const MOST_GONE = 500

interface Entry {
  readonly event: PhoneEvent
  readonly json: string
  readonly place: number
}

export class Feed {
  private name = newName()
  private place = 0
  private entries = new Map<string, Entry>()
  private readonly wakes = new Set<() => void>()
  private begun = 0
  private taken = 0
  private woken = 0
  /** How many requests and streams follow it. */
  followers = 0

  /** Begins a read, and gives its number. */
  begin(): number {
    return ++this.begun
  }

  /** Applies the result of a read, unless a later one was applied. */
  take(read: number, events: ReadonlyArray<PhoneEvent>): void {
    if (read < this.taken) return
    this.taken = read
    const current = new Set<string>()
    for (const event of events) {
      const key = keyOf(event)
      const json = JSON.stringify(event)
      current.add(key)
      if (this.entries.get(key)?.json !== json) this.entries.set(key, { event, json, place: ++this.place })
    }
    let gone = 0
    for (const [id, { event }] of this.entries) {
      if (current.has(id)) continue
      gone++
      if (event.type !== "removed") {
        this.entries.set(id, { event: { type: "removed", id }, json: "", place: ++this.place })
      }
    }
    if (gone > MOST_GONE) this.restart()
  }

  /** The changes after a cursor; everything without a cursor, or with another feed's. */
  since(cursor: string | null): PhoneEvents {
    const { name } = this
    const place = cursor?.startsWith(`${name}.`) === true ? Number(cursor.slice(name.length + 1)) : Number.NaN
    const reset = !(place <= this.place)
    const entries = [...this.entries.values()]
      .filter((entry) => (reset ? entry.event.type !== "removed" : entry.place > place))
      .sort((a, b) => (reset ? orderOf(a.event, b.event) : a.place - b.place))
    return { cursor: `${name}.${this.place}`, reset, events: entries.map(({ event }) => event) }
  }

  /** How often it was woken. */
  get wakings(): number {
    return this.woken
  }

  /** Has those look again who wait for news. */
  wake(): void {
    this.woken++
    for (const wake of this.wakes) wake()
  }

  /** Calls back at the next wake, until it is taken back by what this returns. */
  onWake(wake: () => void): () => void {
    this.wakes.add(wake)
    return () => void this.wakes.delete(wake)
  }

  /** Forgets removed items, and with them all cursors. */
  private restart(): void {
    this.name = newName()
    for (const [id, { event }] of this.entries) if (event.type === "removed") this.entries.delete(id)
  }
}

const newName = (): string => crypto.randomUUID().slice(0, 8)

/** The id of an event's subject, or its number. */
const keyOf = (event: PhoneEvent): string => {
  switch (event.type) {
    case "phone":
      return event.phone.number
    case "message":
      return event.message.id
    case "call":
      return event.call.id
    case "verification":
      return event.verification.id
    case "removed":
      return event.id
  }
}

/** Phones by their numbers, then the others by their ids, which begin with the time. */
const orderOf = (a: PhoneEvent, b: PhoneEvent): number => {
  const [one, other] = [a, b].map((event) => keyOf(event).replace("vrf_", ""))
  return one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1
}
