/**
 * Requests of the page to the interface.
 */
import { messageOf } from "../kit/failure.ts"
import type {
  CallEvent,
  MessageEvent,
  Phone,
  PhoneActed,
  PhoneEvents,
  PostPhoneCall,
  PostPhoneLogin,
  PostPhoneText,
  Presented,
  SetPhone,
  StartVerification,
  Verification
} from "@watchword/client"
import { eachEvent } from "../kit/events.ts"
import type { Session } from "./session.ts"

/** The interface's refusal, in its own words. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const setPhone = (session: Session, { number, ...phone }: Phone): Promise<void> => {
  const body: SetPhone = phone
  return change(session, "PUT", `/sandbox/phones/${encodeURIComponent(number)}`, body)
}

export const removePhone = (session: Session, number: string): Promise<void> =>
  change(session, "DELETE", `/sandbox/phones/${encodeURIComponent(number)}`)

export const messageEvent = (session: Session, id: string, event: MessageEvent): Promise<void> =>
  change(session, "POST", `/sandbox/messages/${id}/events`, { event })

export const callEvent = (session: Session, id: string, event: CallEvent): Promise<void> =>
  change(session, "POST", `/sandbox/calls/${id}/events`, { event })

/** Has the user of a phone follow an instruction of a verification. */
export const actFirst = async (
  session: Session,
  number: string,
  verification: string,
  shown: Presented
): Promise<PhoneActed> => {
  const [what, body] = actionOf(verification, shown)
  const path = `/sandbox/phones/${encodeURIComponent(number)}/${what}`
  return (await post(session, "POST", path, body)).json()
}

const actionOf = (
  verification_id: string,
  { by, number, text }: Presented
): readonly [string, PostPhoneText | PostPhoneCall | PostPhoneLogin] => {
  switch (by) {
    case "sms":
    case "bizchat":
      return ["texts", { to: number ?? "", text: text ?? "" }]
    case "call":
      return ["calls", { to: number ?? "" }]
    case "telegram_login":
      return ["logins", { verification_id }]
  }
}

/** Hides earlier messages from the inbox. */
export const clear = (session: Session): Promise<void> => change(session, "DELETE", "/sandbox/inbox")

/** Sends a code through the account's own workflow. */
export const verify = (session: Session, to: string): Promise<void> => {
  const body: StartVerification = { to }
  return change(session, "POST", "/verifications", body)
}

/** Sends a verification by its next step, as a user who wants a code instead asks for it. */
export const next = (session: Session, { id }: Pick<Verification, "id">): Promise<void> =>
  change(session, "POST", `/verifications/${id}/next`, {})

export const verification = async (session: Session, id: string): Promise<Verification> =>
  (await ask(session, `/verifications/${id}`, {})).json()

/** Calls back with each event of the stream, until it ends or is aborted. */
export const follow = async (
  session: Session,
  cursor: string | null,
  take: (events: PhoneEvents) => void,
  signal: AbortSignal
): Promise<void> => {
  const { body } = await ask(session, "/sandbox/phones/events", {
    headers: { accept: "text/event-stream", ...(cursor === null ? {} : { "last-event-id": cursor }) },
    signal
  })
  if (body === null) return
  await eachEvent(body, (data) => take(JSON.parse(data)))
}

const change = async (session: Session, method: string, path: string, body?: object): Promise<void> => {
  await post(session, method, path, body)
}

const post = (session: Session, method: string, path: string, body?: object): Promise<Response> => {
  const init = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  return ask(session, path, { method, ...init })
}

type Init = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> }

const ask = async ({ account, base, key }: Session, path: string, { headers, ...init }: Init): Promise<Response> => {
  const response = await fetch(base + path, {
    ...init,
    cache: "no-store",
    headers: { "x-account-id": account, "x-api-key": key, ...headers }
  }).catch((error: unknown) => {
    throw init.signal?.aborted === true ? error : new Unreachable("The server is not responding.")
  })
  if (response.ok) return response
  throw new Refused(response.status, messageOf(await response.json().catch(() => null), response.status))
}

/** There was no answer at all. */
class Unreachable extends Error {}
