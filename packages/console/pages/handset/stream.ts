/**
 * The server's stream, which keeps the phones up to date while a key is known.
 */
import { effect, signal } from "@preact/signals"
import type { PhoneEvents, PhoneMessage } from "@watchword/client"
import { act, isChanging, isLive, trouble } from "./acts.ts"
import * as api from "./api.ts"
import { calls, messages, recall, settings, show, shown, verifications } from "./phones.ts"
import { type Session, session, signOut } from "./session.ts"

/** The last arrival, for users who cannot see the phones. */
export const arrival = signal("")

/** How long to wait before the server is asked again, in milliseconds. */
const PAUSE = 1_000

const follow = async (current: Session, signal: AbortSignal): Promise<void> => {
  let cursor: string | null = null
  const take = (events: PhoneEvents): void => {
    cursor = events.cursor
    isLive.value = true
    for (const id of learn(events)) void refresh(current, id)
  }
  while (!signal.aborted) {
    try {
      await api.follow(current, cursor, take, signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof api.Refused && (error.status === 401 || error.status === 403)) {
        trouble.value = error.message
        return signOut()
      }
      if (error instanceof api.Refused) trouble.value = error.message
    }
    if (signal.aborted) return
    isLive.value = false
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

/** Applies events, and returns the ids of the verifications whose sends have news. */
const learn = ({ events, reset }: PhoneEvents): ReadonlySet<string> => {
  const next = {
    settings: new Map(reset ? [] : settings.value),
    messages: new Map(reset ? [] : messages.value),
    calls: new Map(reset ? [] : calls.value),
    verifications: new Map(reset ? [] : verifications.value)
  }
  const numbers = new Set<string>()
  const moved = new Set<string>()
  for (const event of events) {
    switch (event.type) {
      case "phone":
        if (!isChanging(event.phone.number)) next.settings.set(event.phone.number, event.phone)
        if (reset) numbers.add(event.phone.number)
        break
      case "message":
        if (!reset && !next.messages.has(event.message.id)) announce(event.message)
        next.messages.set(event.message.id, event.message)
        numbers.add(event.message.to)
        if (event.message.verification !== null) moved.add(event.message.verification)
        break
      case "call":
        next.calls.set(event.call.id, event.call)
        numbers.add(event.call.to)
        if (event.call.verification !== null) moved.add(event.call.verification)
        break
      case "verification":
        next.verifications.set(event.verification.id, event.verification)
        numbers.add(event.verification.to)
        break
      case "removed":
        for (const map of Object.values(next)) map.delete(event.id)
    }
  }
  settings.value = next.settings
  messages.value = next.messages
  calls.value = next.calls
  verifications.value = next.verifications
  if (!reset) for (const number of numbers) show(number)
  else if (shown.value.length === 0) recall(numbers)
  return reset ? new Set() : moved
}

const announce = ({ state, text, to }: PhoneMessage): void => {
  if (state !== "kept") arrival.value = `Message to ${to}: ${text ?? "a code"}`
}

/** Reads a pending verification, because its plan in the stream is some seconds behind its sends. */
const refresh = async (current: Session, id: string): Promise<void> => {
  const before = verifications.value.get(id)
  if (before?.status !== "pending") return
  const found = await api.verification(current, id).catch(() => null)
  // A verification that the stream has brought meanwhile is just as new.
  if (found === null || verifications.value.get(id) !== before) return
  verifications.value = new Map(verifications.value).set(id, found)
}

const confirmed = new Set<string>()

effect(() => {
  const current = session.value
  if (!current) return
  const ending = new AbortController()
  void follow(current, ending.signal)
  return () => ending.abort()
})

/** Confirms the messages on the screen of a phone that a person answers. */
effect(() => {
  for (const { accepts, id, state, to } of messages.value.values()) {
    const phone = settings.value.get(to)
    if (state !== "sent" || phone?.mode !== "manual" || phone.offline || !accepts.includes("delivered")) continue
    if (confirmed.has(id)) continue
    confirmed.add(id)
    void act((session) => api.messageEvent(session, id, "delivered"))
  }
})
