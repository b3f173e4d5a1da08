/**
 * The home screen: the phone's apps, with how much in them was not looked at.
 */
import type { PhoneCall, PhoneMessage } from "@watchword/client"
import type { IconName } from "../../kit/Icon.tsx"
import { seen } from "../phones.ts"
import { iconOf } from "../../kit/channels.ts"
import { appName } from "../words.ts"
import { AppIcon } from "./App.tsx"
import type { Go, View } from "./View.ts"

export const Home = (given: {
  readonly messages: ReadonlyArray<PhoneMessage>
  readonly calls: ReadonlyArray<PhoneCall>
  readonly go: Go
}) => {
  const fresh = (channel: string): number =>
    given.messages.filter((message) => message.channel === channel && !seen.value.has(message.id)).length
  const own = [...new Set(given.messages.map(({ channel }) => channel))].filter(
    (channel) => iconOf(channel) === "other"
  )
  return (
    <div class="apps">
      <App icon="sms" name="Messages" count={fresh("sms")} view={{ screen: "sms", from: null }} go={given.go} />
      {["chatgw", "bizchat", ...own].map((channel) => (
        <App
          key={channel}
          icon={iconOf(channel)}
          name={appName(channel)}
          count={fresh(channel)}
          view={{ screen: "chat", channel }}
          go={given.go}
        />
      ))}
      <App icon="call" name="Calls" count={0} view={{ screen: "recents" }} go={given.go} />
      <App icon="page" name="Autofill" count={0} view={{ screen: "fill" }} go={given.go} />
    </div>
  )
}

const App = (given: {
  readonly icon: IconName
  readonly name: string
  readonly count: number
  readonly view: View
  readonly go: Go
}) => (
  <button type="button" onClick={() => given.go(given.view)}>
    <AppIcon name={given.icon} />
    {given.count > 0 && (
      <span class="badge">
        {given.count}
        <span class="visually-hidden"> new</span>
      </span>
    )}
    <span>{given.name}</span>
  </button>
)
