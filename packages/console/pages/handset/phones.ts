/**
 * What the phones show, kept up to date by the stream of the server.
 */
import { computed, effect, signal } from "@preact/signals"
import type { Phone, PhoneCall, PhoneEvents, PhoneMessage, Verification } from "@watchword/client"
import * as api from "./api.ts"
import { type Session, session, signOut } from "./session.ts"

/** The most phones side by side; the one that heard nothing for longest gives way. */
const MOST = 4

export const settings = signal<ReadonlyMap<string, Phone>>(new Map())
export const messages = signal<ReadonlyMap<string, PhoneMessage>>(new Map())
export const calls = signal<ReadonlyMap<string, PhoneCall>>(new Map())
export const verifications = signal<ReadonlyMap<string, Verification>>(new Map())

/** The numbers on the screen, in their order. */
export const shown = signal<ReadonlyArray<string>>([])

/** What is wrong, in a sentence; null while all is well. */
export const trouble = signal<string | null>(null)

/** The newest verification of each number. */
export const newest = computed(() => {
  const found = new Map<string, Verification>()
  for (const verification of verifications.value.values()) {
    const other = found.get(verification.to)
    if (other === undefined || other.created_at < verification.created_at) found.set(verification.to, verification)
  }
  return found
})

/** A phone as it is where nothing is set for its number: its last four digits decide. */
export const usual = (number: string): Phone => ({
  number,
  mode: "auto",
  call: "ring",
  sms: "deliver",
  chatgw: true,
  bizchat: "deliver",
  offline: false
})

/** Puts a phone on the screen. */
export const show = (number: string): void => {
  if (shown.value.includes(number)) return
  shown.value = [...shown.value, number].slice(-MOST)
}

export const hide = (number: string): void => {
  shown.value = shown.value.filter((each) => each !== number)
}

const learn = ({ events, reset }: PhoneEvents): void => {
  const next = {
    settings: new Map(reset ? [] : settings.value),
    messages: new Map(reset ? [] : messages.value),
    calls: new Map(reset ? [] : calls.value),
    verifications: new Map(reset ? [] : verifications.value)
  }
  for (const event of events) {
    switch (event.type) {
      case "phone":
        if (!changes.has(event.phone.number)) next.settings.set(event.phone.number, event.phone)
        if (reset) show(event.phone.number)
        break
      case "message":
        next.messages.set(event.message.id, event.message)
        if (!reset) show(event.message.to)
        break
      case "call":
        next.calls.set(event.call.id, event.call)
        if (!reset) show(event.call.to)
        break
      case "verification":
        next.verifications.set(event.verification.id, event.verification)
        if (!reset) show(event.verification.to)
        break
      case "removed":
        for (const map of Object.values(next)) map.delete(event.id)
    }
  }
  settings.value = next.settings
  messages.value = next.messages
  calls.value = next.calls
  verifications.value = next.verifications
}

/** The last change of each number that is under way: until it is done, the page shows what its user wants. */
const changes = new Map<string, Promise<void>>()

/** Changes how a phone answers: one request after the other, since each says all of it. */
export const change = (number: string, wanted: Partial<Phone>): void => {
  const current = session.value
  if (!current) return
  const before = settings.value.get(number)
  const phone = { ...(before ?? usual(number)), ...wanted }
  const put = (other: Phone | undefined) => {
    const next = new Map(settings.value)
    if (other === undefined) next.delete(number)
    else next.set(number, other)
    settings.value = next
  }
  put(phone)
  const previous = changes.get(number) ?? Promise.resolve()
  const done: Promise<void> = previous
    .catch(() => {})
    .then(() => api.setPhone(current, phone))
    .catch((error: unknown) => {
      if (changes.get(number) === done) put(before)
      throw error
    })
    .finally(() => {
      if (changes.get(number) === done) changes.delete(number)
    })
  changes.set(number, done)
  act(() => done)
}

/** Confirms what a phone that answers by hand has on its screen. */
effect(() => {
  const current = session.value
  if (!current) return
  for (const { accepts, id, state, to } of messages.value.values()) {
    const phone = settings.value.get(to)
    if (state !== "sent" || phone?.mode !== "manual" || phone.offline || !accepts.includes("delivered")) continue
    if (confirmed.has(id)) continue
    confirmed.add(id)
    act(() => api.messageEvent(current, id, "delivered"))
  }
})

const confirmed = new Set<string>()

/** Does something that the server may refuse, and shows what it says. */
export function act(does: () => Promise<void>): void {
  does().then(
    () => (trouble.value = null),
    (error: unknown) => {
      // What has ended meanwhile needs nothing any more.
      if (error instanceof api.Refused && error.status === 409) return
      trouble.value = error instanceof Error ? error.message : String(error)
    }
  )
}

const PAUSE = 1_000

/** Follows the server as long as somebody is signed in. */
const followed = async (current: Session, signal: AbortSignal): Promise<void> => {
  let cursor: string | null = null
  while (!signal.aborted) {
    try {
      await api.follow(
        current,
        cursor,
        (events) => {
          cursor = events.cursor
          trouble.value = null
          learn(events)
        },
        signal
      )
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof api.Refused && (error.status === 401 || error.status === 403)) {
        trouble.value = error.message
        return signOut()
      }
      trouble.value = "The server does not answer; it is asked again every second."
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

effect(() => {
  const current = session.value
  if (!current) return
  const ending = new AbortController()
  void followed(current, ending.signal)
  return () => ending.abort()
})
