/**
 * The lock screen: the time, and the notifications.
 */
import type { PhoneCall, PhoneMessage } from "@watchword/client"
import { dateOf, faceOf, now, timeOf } from "../../kit/clock.ts"
import { seen } from "../phones.ts"
import { iconOf } from "../../kit/channels.ts"
import { endOf } from "../attempts.ts"
import { appName, senderOf, wordsOf } from "../words.ts"
import { AppIcon, Caller } from "./App.tsx"
import { Asked } from "./Asked.tsx"
import { type Go, viewOf } from "./View.ts"

const MOST_MESSAGES = 4
const MOST_CALLS = 2

export const Lock = (given: {
  readonly number: string
  readonly messages: ReadonlyArray<PhoneMessage>
  readonly calls: ReadonlyArray<PhoneCall>
  readonly go: Go
}) => {
  const fresh = given.messages.filter(({ id }) => !seen.value.has(id))
  const ended = given.calls.filter(({ state }) => state === "ended")
  const more = fresh.length - MOST_MESSAGES
  return (
    <div class="lock" tabIndex={0} role="region" aria-label="Lock screen">
      <p class="date">{dateOf(now.value)}</p>
      <p class="face">{faceOf(now.value)}</p>
      <Asked number={given.number} />
      <ul class="notifications">
        {fresh.slice(0, MOST_MESSAGES).map((message) => (
          <li key={message.id}>
            <Notification message={message} go={given.go} />
          </li>
        ))}
        {more > 0 && <li class="more">and {more} more</li>}
        {ended.slice(0, MOST_CALLS).map((call) => (
          <li key={call.id}>
            <button type="button" class="notification" onClick={() => given.go({ screen: "recents" })}>
              <AppIcon name="call" label="Phone" />
              <span class="from">
                <Caller call={call} />
                <time>{timeOf(call.at)}</time>
              </span>
              <span class="text">Call {endOf(call)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

export const Notification = ({ go, message }: { readonly message: PhoneMessage; readonly go: Go }) => (
  <button type="button" class="notification" onClick={() => go(viewOf(message))}>
    <AppIcon name={iconOf(message.channel)} label={appName(message.channel)} />
    <span class="from">
      <span>{senderOf(message)}</span>
      <time>{timeOf(message.at)}</time>
    </span>
    <span class="text">{wordsOf(message)}</span>
  </button>
)
