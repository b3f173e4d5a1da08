/**
 * One telephone: its lock screen, a conversation, a call that rings.
 */
import { useSignal } from "@preact/signals"
import type { PhoneCall, PhoneMessage } from "@watchword/client"
import { Icon, iconOf } from "../kit/Icon.tsx"
import { now, timeOf } from "../kit/clock.ts"
import { callEvent, messageEvent } from "./api.ts"
import { offerOf } from "./autofill.ts"
import { act, calls, messages, settings, usual } from "./phones.ts"
import { session } from "./session.ts"

/** What people call the apps of the channels. */
const APPS: Readonly<Record<string, string>> = { sms: "Messages", chatgw: "Chat", bizchat: "Business" }

const nameOf = (channel: string): string => APPS[channel] ?? channel

const GONE = new Set(["failed", "expired", "revoked"])

export const Phone = ({ number }: { readonly number: string }) => {
  const opened = useSignal<string | null>(null)
  const ignored = useSignal<string | null>(null)
  const phone = settings.value.get(number) ?? usual(number)
  const texts = [...messages.value.values()]
    .filter(({ state, to }) => to === number && state !== "kept" && state !== "failed")
    .sort((one, other) => (one.at < other.at ? 1 : -1))
  const ringing = [...calls.value.values()].find(
    ({ id, state, to }) => to === number && state === "ringing" && id !== ignored.value
  )
  const isOpen = opened.value !== null && ringing === undefined
  return (
    <section class="phone" aria-label={`Phone ${number}`}>
      <div class={isOpen ? "screen" : "screen locked"}>
        <Status isOffline={phone.offline} />
        {ringing !== undefined ? (
          <Ringing call={ringing} ignore={() => (ignored.value = ringing.id)} />
        ) : opened.value !== null ? (
          <Thread
            channel={opened.value}
            texts={texts.filter(({ channel }) => channel === opened.value)}
            close={() => (opened.value = null)}
          />
        ) : (
          <Lock texts={texts} missed={missedOf(number)} open={(message) => openMessage(message, opened)} />
        )}
        <button type="button" class="home" aria-label="Lock screen" onClick={() => (opened.value = null)} />
      </div>
    </section>
  )
}

const missedOf = (number: string): ReadonlyArray<PhoneCall> =>
  [...calls.value.values()]
    .filter(({ state, to }) => to === number && state === "ended")
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, 2)

const openMessage = (message: PhoneMessage, opened: { value: string | null }): void => {
  opened.value = message.channel
  const current = session.value
  if (current && message.accepts.includes("read")) act(() => messageEvent(current, message.id, "read"))
}

const Status = ({ isOffline }: { readonly isOffline: boolean }) => (
  <div class="status">
    <span>{timeOf(now.value)}</span>
    <span class="island" />
    <span class="signal">
      <Icon name={isOffline ? "plane" : "bars"} />
      <span class="visually-hidden">{isOffline ? "Aeroplane mode" : "Network"}</span>
    </span>
  </div>
)

const Lock = (given: {
  readonly texts: ReadonlyArray<PhoneMessage>
  readonly missed: ReadonlyArray<PhoneCall>
  readonly open: (message: PhoneMessage) => void
}) => (
  <div class="content" tabIndex={0} role="region" aria-label="Lock screen">
    <div class="clock">
      <div class="date">
        {new Date(now.value).toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" })}
      </div>
      <div class="time">{timeOf(now.value).replace(/\s?[AP]M/i, "")}</div>
    </div>
    <ul class="notifications" aria-live="polite">
      {given.texts.slice(0, 6).map((message) => (
        <li key={message.id}>
          <button type="button" class="notification" onClick={() => given.open(message)}>
            <App channel={message.channel} />
            <span class="from">
              {message.from ?? nameOf(message.channel)} <time>{timeOf(message.at)}</time>
            </span>
            <span class="text">{wordsOf(message)}</span>
          </button>
        </li>
      ))}
      {given.missed.map((call) => (
        <li key={call.id} class="notification">
          <App channel="call" />
          <span class="from">
            Call <time>{timeOf(call.at)}</time>
          </span>
          <span class="text">
            from <Caller call={call} />, {endOf(call)}
          </span>
        </li>
      ))}
    </ul>
  </div>
)

const wordsOf = ({ code, state, text }: PhoneMessage): string => {
  if (GONE.has(state)) return "This message was taken back."
  return text ?? (code === null ? "A message" : `${code} is your code.`)
}

const ENDS: Readonly<Record<string, string>> = {
  NO_ANSWER: "not answered",
  CALL_REJECTED: "declined",
  NORMAL_CLEARING: "answered",
  ORIGINATOR_CANCEL: "ended by the caller",
  USER_BUSY: "busy"
}

const endOf = ({ hangup_cause: cause }: PhoneCall): string => ENDS[cause ?? ""] ?? "ended"

const App = ({ channel }: { readonly channel: string }) => (
  <span class={`app ${iconOf(channel)}`}>
    <Icon name={iconOf(channel)} />
    <span class="visually-hidden">{nameOf(channel)}</span>
  </span>
)

/** A caller's number, with the digits that are the code marked. */
const Caller = ({ call: { caller, code } }: { readonly call: PhoneCall }) => {
  if (caller === null) return <span class="caller">an unknown number</span>
  const length = code !== null && caller.endsWith(code) ? code.length : 0
  return (
    <span class="caller">
      {caller.slice(0, caller.length - length)}
      {length > 0 && <mark>{code}</mark>}
    </span>
  )
}

const Ringing = ({ call, ignore }: { readonly call: PhoneCall; readonly ignore: () => void }) => {
  const current = session.value
  const post = (event: "answer" | "decline") => () => {
    if (current) act(() => callEvent(current, call.id, event))
  }
  return (
    <div class="ringing" role="alert">
      <div class="who">
        <span class="pulse">
          <Icon name="call" />
        </span>
        <div>Incoming call</div>
        <div>
          <Caller call={call} />
        </div>
      </div>
      <div class="acts">
        <button type="button" class="decline" disabled={!call.accepts.includes("decline")} onClick={post("decline")}>
          <i>
            <Icon name="call" />
          </i>
          Decline
        </button>
        <button type="button" onClick={ignore}>
          <i>
            <Icon name="quiet" />
          </i>
          Ignore
        </button>
        <button type="button" class="answer" disabled={!call.accepts.includes("answer")} onClick={post("answer")}>
          <i>
            <Icon name="call" />
          </i>
          Answer
        </button>
      </div>
    </div>
  )
}

const Thread = (given: {
  readonly channel: string
  readonly texts: ReadonlyArray<PhoneMessage>
  readonly close: () => void
}) => {
  const [last] = given.texts
  return (
    <div class="thread">
      <header>
        <button type="button" class="back" aria-label="Back" onClick={given.close}>
          ‹
        </button>
        <App channel={given.channel} />
        {last?.from ?? nameOf(given.channel)}
      </header>
      <div class="bubbles" tabIndex={0} role="log" aria-label="Conversation">
        {given.texts.toReversed().map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
      </div>
      <Keyboard message={last} />
    </div>
  )
}

const Bubble = ({ message }: { readonly message: PhoneMessage }) => (
  <>
    <div class={GONE.has(message.state) ? "bubble gone" : "bubble"}>
      {message.text === null ? <CodeCard message={message} /> : <Marked text={message.text} code={message.code} />}
    </div>
    <div class="meta">
      {timeOf(message.at)} · {message.state}
    </div>
  </>
)

/** Chats whose provider words them show the code alone. */
const CodeCard = ({ message: { code } }: { readonly message: PhoneMessage }) => (
  <div class="card-code">
    <span>Your code</span>
    <span class="digits">{code ?? "none"}</span>
  </div>
)

const Marked = ({ code, text }: { readonly text: string; readonly code: string | null }) => {
  const at = code === null ? -1 : text.indexOf(code)
  if (code === null || at === -1) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <mark>{code}</mark>
      {text.slice(at + code.length)}
    </>
  )
}

const CODE = /(?<!\d)\d{4,8}(?!\d)/

const Keyboard = ({ message }: { readonly message: PhoneMessage | undefined }) => {
  const copied = useSignal(false)
  if (message === undefined) return null
  const found = message.code ?? CODE.exec(message.text ?? "")?.[0] ?? null
  const offer = message.channel === "sms" ? offerOf(message.text ?? "", found) : { code: found, says: "Copy it." }
  const copy = () => {
    if (offer.code === null) return
    void navigator.clipboard.writeText(offer.code).then(() => (copied.value = true))
  }
  return (
    <div class="keyboard">
      {offer.code === null ? (
        <div class="chip">{offer.says}</div>
      ) : (
        <button type="button" class="chip" onClick={copy}>
          <b>{offer.code}</b>
          <span role="status">{copied.value ? "Copied." : offer.says}</span>
        </button>
      )}
      <div class="keys" aria-hidden="true">
        {Array.from({ length: 20 }, (_, key) => (
          <span key={key} />
        ))}
      </div>
    </div>
  )
}
