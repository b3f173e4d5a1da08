/**
 * Requests of the page to the interface of the sandbox.
 */
import type { CallEvent, MessageEvent, Phone, PhoneEvents, SetPhone } from "@watchword/client"
import type { Session } from "./session.ts"

/** The interface's refusal, in its own words. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const ask = async (
  session: Session,
  method: string,
  path: string,
  body?: object,
  headers = {},
  signal?: AbortSignal
) => {
  const response = await fetch(`${session.basePath}/sandbox${path}`, {
    method,
    cache: "no-store",
    headers: {
      "x-account-id": session.account,
      "x-api-key": session.key,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal })
  })
  if (response.ok) return response
  const failure: { readonly message?: string; readonly issues?: ReadonlyArray<{ readonly message: string }> } =
    await response.json().catch(() => ({}))
  const issue = failure.issues?.[0]?.message
  throw new Refused(response.status, issue === undefined ? (failure.message ?? "It failed.") : `It ${issue}.`)
}

export const setPhone = async (session: Session, { number, ...phone }: Phone): Promise<void> => {
  const body: SetPhone = phone
  await ask(session, "PUT", `/phones/${encodeURIComponent(number)}`, body)
}

export const removePhone = async (session: Session, number: string): Promise<void> =>
  void (await ask(session, "DELETE", `/phones/${encodeURIComponent(number)}`))

export const messageEvent = async (session: Session, id: string, event: MessageEvent): Promise<void> =>
  void (await ask(session, "POST", `/messages/${id}/events`, { event }))

export const callEvent = async (session: Session, id: string, event: CallEvent): Promise<void> =>
  void (await ask(session, "POST", `/calls/${id}/events`, { event }))

/** Calls back with each frame of the stream, until it ends or is given up. */
export const follow = async (
  session: Session,
  cursor: string | null,
  take: (events: PhoneEvents) => void,
  signal: AbortSignal
): Promise<void> => {
  const headers = { accept: "text/event-stream", ...(cursor === null ? {} : { "last-event-id": cursor }) }
  const { body } = await ask(session, "GET", "/phones/events", undefined, headers, signal)
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += value
    const frames = rest.split("\n\n")
    rest = frames.pop() ?? ""
    for (const frame of frames) {
      const data = frame.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
      if (data.length > 0) take(JSON.parse(data.join("\n")))
    }
  }
}
