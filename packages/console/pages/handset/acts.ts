/**
 * The page's requests to the server, and their outcomes.
 */
import { signal } from "@preact/signals"
import type { Phone, PhoneActed, Presented } from "@watchword/client"
import * as api from "./api.ts"
import { phoneOf, settings } from "./phones.ts"
import { type Session, session } from "./session.ts"

/** The last refusal, in a sentence; null while all is well. */
export const trouble = signal<string | null>(null)

/** Whether the server answers; null before its first answer. */
export const isLive = signal<boolean | null>(null)

/** Does something that the server may refuse, and shows the refusal. Resolves to whether it was done. */
export const act = async (does: (session: Session) => Promise<void>): Promise<boolean> => {
  const current = session.value
  if (!current) return false
  try {
    await does(current)
    trouble.value = null
    return true
  } catch (error) {
    if (!(error instanceof api.Refused)) isLive.value = false
    // A message or a call that has ended meanwhile needs no more events.
    else if (error.status !== 409) trouble.value = error.message
    return false
  }
}

/** The results of the last actions of phone users, by verification. */
export const acted = signal<ReadonlyMap<string, PhoneActed>>(new Map())

/** Has the user of a phone act as a verification asks. */
export const actFirst = (number: string, verification: string, shown: Presented): Promise<boolean> =>
  act(async (session) => {
    const answer = await api.actFirst(session, number, verification, shown)
    acted.value = new Map(acted.value).set(verification, answer)
  })

/** Each number's last change in progress. Until it is done, the page shows the phone as the user wants it. */
const changes = new Map<string, Promise<void>>()

export const isChanging = (number: string): boolean => changes.has(number)

/** Changes how a phone answers, one request at a time, because each request has all settings of the phone. */
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
