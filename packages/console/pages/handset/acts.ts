/**
 * What the page asks of the server, and what becomes of it.
 */
import { signal } from "@preact/signals"
import type { Phone } from "@watchword/client"
import * as api from "./api.ts"
import { phoneOf, settings } from "./phones.ts"
import { type Session, session } from "./session.ts"

/** What was refused, in a sentence; null while all is well. */
export const trouble = signal<string | null>(null)

/** Whether the server answers; null until it did for the first time. */
export const isLive = signal<boolean | null>(null)

/** Does something that the server may refuse, and shows what it says. Resolves to whether it was done. */
export const act = async (does: (session: Session) => Promise<void>): Promise<boolean> => {
  const current = session.value
  if (!current) return false
  try {
    await does(current)
    trouble.value = null
    return true
  } catch (error) {
    if (!(error instanceof api.Refused)) isLive.value = false
    // What has ended meanwhile needs nothing any more.
    else if (error.status !== 409) trouble.value = error.message
    return false
  }
}

/** The last change of each number that is under way: until it is done, the page shows what its user wants. */
const changes = new Map<string, Promise<void>>()

export const isChanging = (number: string): boolean => changes.has(number)

/** Changes how a phone answers: one request after the other, since each says all of it. */
export const changePhone = (number: string, wanted: Partial<Phone>): void => {
  const before = settings.value.get(number)
  const phone = { ...phoneOf(number), ...wanted }
  put(number, phone)
  const earlier = changes.get(number)
  const change = async (): Promise<void> => {
    await earlier
    const isSet = await act((session) => api.setPhone(session, phone))
    if (changes.get(number) !== done) return
    changes.delete(number)
    if (!isSet) put(number, before)
  }
  const done = change()
  changes.set(number, done)
}

const put = (number: string, phone: Phone | undefined): void => {
  const next = new Map(settings.value)
  if (phone === undefined) next.delete(number)
  else next.set(number, phone)
  settings.value = next
}
