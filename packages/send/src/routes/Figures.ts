/**
 * Figures of carriers by country: what became of the messages that they have taken within the last hour, minute by
 * minute.
 *
 * Everything that is heard of a message counts in the minute in which it was sent.
 */
const KINDS = ["sent", "approved", "delivered", "lost"] as const
export type Kind = (typeof KINDS)[number]
export type Counts = Readonly<Record<Kind, number>>

const MINUTE = 60_000

/** How many minutes are kept. */
const MINUTES = 64

export class Figures {
  readonly #rings = new Map<string, Map<string, Ring>>()

  /** @param at when the message was sent, in milliseconds since the epoch */
  add(carrier: string, country: string, kind: Kind, at: number): void {
    let byCountry = this.#rings.get(carrier)
    if (byCountry === undefined) this.#rings.set(carrier, (byCountry = new Map<string, Ring>()))
    let ring = byCountry.get(country)
    if (ring === undefined) byCountry.set(country, (ring = new Ring()))
    ring.add(kind, Math.floor(at / MINUTE))
  }

  /** Messages sent between two ages in minutes, the older one excluded. */
  of(carrier: string, country: string, now: number, newest: number, oldest: number): Counts {
    const minute = Math.floor(now / MINUTE)
    return (
      this.#rings
        .get(carrier)
        ?.get(country)
        ?.between(minute - oldest, minute - newest) ?? none
    )
  }

  /** Messages sent to all countries in the last hour. */
  ofCarrier(carrier: string, now: number): Counts {
    const minute = Math.floor(now / MINUTE)
    const rings = [...(this.#rings.get(carrier)?.values() ?? [])]
    return rings.map((ring) => ring.between(minute - 60, minute)).reduce(sum, none)
  }
}

const none: Counts = { sent: 0, approved: 0, delivered: 0, lost: 0 }

const sum = (one: Counts, other: Counts): Counts => ({
  sent: one.sent + other.sent,
  approved: one.approved + other.approved,
  delivered: one.delivered + other.delivered,
  lost: one.lost + other.lost
})

/** The counts of the last minutes. A minute replaces the one {@link MINUTES} before it. */
class Ring {
  readonly #minutes = new Float64Array(MINUTES)
  readonly #counts = new Uint32Array(MINUTES * KINDS.length)

  add(kind: Kind, minute: number): void {
    const slot = minute % MINUTES
    const held = this.#minutes[slot] ?? 0
    if (minute < held) return
    if (minute > held) {
      this.#minutes[slot] = minute
      this.#counts.fill(0, slot * KINDS.length, (slot + 1) * KINDS.length)
    }
    const place = slot * KINDS.length + KINDS.indexOf(kind)
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  /** The minutes after the first to the second. */
  between(after: number, last: number): Counts {
    const sums = [0, 0, 0, 0]
    for (const [slot, minute] of this.#minutes.entries()) {
      if (minute <= after || minute > last) continue
      for (const kind of KINDS.keys()) {
        sums[kind] = (sums[kind] ?? 0) + (this.#counts[slot * KINDS.length + kind] ?? 0)
      }
    }
    const [sent = 0, approved = 0, delivered = 0, lost = 0] = sums
    return { sent, approved, delivered, lost }
  }
}
