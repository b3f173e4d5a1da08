/**
 * The state that the phones show.
 */
import { computed, signal } from "@preact/signals"
import type { Phone, PhoneCall, PhoneMessage, Verification } from "@watchword/client"

/** The most phones side by side. */
const MOST = 4

export const settings = signal<ReadonlyMap<string, Phone>>(new Map())
export const messages = signal<ReadonlyMap<string, PhoneMessage>>(new Map())
export const calls = signal<ReadonlyMap<string, PhoneCall>>(new Map())
export const verifications = signal<ReadonlyMap<string, Verification>>(new Map())

/** The numbers on the screen, in their order. */
export const shown = signal<ReadonlyArray<string>>([])

/** The number whose phone made room for another number's phone; null until that happens. */
export const replaced = signal<{ readonly number: string; readonly by: string } | null>(null)

/** The ids of messages that the user has looked at. */
export const seen = signal<ReadonlySet<string>>(new Set())

/** The messages that a phone shows, newest first. */
export const messagesTo = (number: string): ReadonlyArray<PhoneMessage> =>
  [...messages.value.values()]
    .filter(({ state, to }) => to === number && state !== "kept" && state !== "failed")
    .sort(newestFirst)

/** How many messages the carrier keeps for a phone. */
export const keptFor = (number: string): number =>
  [...messages.value.values()].filter(({ state, to }) => to === number && state === "kept").length

export const callsTo = (number: string): ReadonlyArray<PhoneCall> =>
  [...calls.value.values()].filter(({ to }) => to === number).sort(newestFirst)

/** The newest verification of a number. */
export const verificationOf = (number: string): Verification | undefined =>
  [...verifications.value.values()]
    .filter(({ to }) => to === number)
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1))[0]

/** The newest verification of a number that waits for its user. */
export const askedOf = (number: string): Verification | undefined =>
  [...verifications.value.values()]
    .filter(({ present = [], status, to }) => to === number && status === "pending" && present.length > 0)
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1))[0]

export const phoneOf = (number: string): Phone => settings.value.get(number) ?? usual(number)

/** The phone of a number without settings: the number's last four digits decide how it answers. */
export const usual = (number: string): Phone => ({
  number,
  mode: "auto",
  call: "ring",
  sms: "deliver",
  chatgw: true,
  bizchat: "deliver",
  offline: false
})

/** Puts a phone on the screen; if there is no room, it replaces the phone that has been quiet the longest. */
export const show = (number: string): void => {
  const numbers = shown.value
  if (numbers.includes(number)) return
  if (replaced.value?.number === number) replaced.value = null
  const [quietest] = [...numbers].sort((one, other) => heardAt(one).localeCompare(heardAt(other)))
  if (quietest === undefined || numbers.length < MOST) {
    shown.value = [...numbers, number]
    return
  }
  shown.value = numbers.map((each) => (each === quietest ? number : each))
  replaced.value = { number: quietest, by: number }
}

/** Puts the numbers with the most recent news on the screen. */
export const recall = (numbers: ReadonlySet<string>): void => {
  shown.value = [...numbers].sort((one, other) => (heardAt(one) < heardAt(other) ? 1 : -1)).slice(0, MOST)
}

export const hide = (number: string): void => {
  shown.value = shown.value.filter((each) => each !== number)
}

export const look = (found: ReadonlyArray<PhoneMessage>): void => {
  const fresh = found.filter(({ id }) => !seen.value.has(id))
  if (fresh.length > 0) seen.value = new Set([...seen.value, ...fresh.map(({ id }) => id)])
}

interface Dated {
  readonly at: string
}

const newestFirst = (one: Dated, other: Dated): number => (one.at < other.at ? 1 : -1)

/** When a number last had news; empty for never. */
const heardAt = (number: string): string => heard.value.get(number) ?? ""

const heard = computed(() => {
  const found = new Map<string, string>()
  const hear = (to: string, at: string): void => {
    if ((found.get(to) ?? "") < at) found.set(to, at)
  }
  for (const { at, to } of messages.value.values()) hear(to, at)
  for (const { at, to } of calls.value.values()) hear(to, at)
  for (const { created_at: at, to } of verifications.value.values()) hear(to, at)
  return found
})
