/**
 * One telephone: its frame, and the screen that it shows.
 */
import { useSignal } from "@preact/signals"
import { Icon } from "../../kit/Icon.tsx"
import { now, timeOf } from "../../kit/clock.ts"
import { callsTo, messagesTo, phoneOf } from "../phones.ts"
import { Banner } from "./Banner.tsx"
import { Chat } from "./Chat.tsx"
import { Fill } from "./Fill.tsx"
import { Home } from "./Home.tsx"
import { Lock } from "./Lock.tsx"
import { Recents } from "./Recents.tsx"
import { Ringing } from "./Ringing.tsx"
import { Texts } from "./Texts.tsx"
import type { View } from "./View.ts"

/** @param place the phone's place in the row; each place has a picture of its own */
export const Phone = ({ number, place }: { readonly number: string; readonly place: number }) => {
  const view = useSignal<View>({ screen: "lock" })
  const ignored = useSignal<string | null>(null)
  const { offline } = phoneOf(number)
  const ringing = callsTo(number).find(({ id, state }) => state === "ringing" && id !== ignored.value)
  const { screen } = view.value
  const isWall = screen === "lock" || screen === "home"
  const drawn = ringing === undefined ? (isWall ? "wall" : "") : "wall calling"
  const go = (next: View): void => void (view.value = next)
  return (
    <section class="phone" aria-label={`Phone ${number}`}>
      <div class={`screen ${drawn}`} data-wall={place}>
        <Status isOffline={offline} />
        {ringing === undefined ? (
          <Shown number={number} view={view.value} go={go} />
        ) : (
          <Ringing call={ringing} ignore={() => (ignored.value = ringing.id)} />
        )}
        {screen !== "lock" && ringing === undefined && <Banner number={number} view={view.value} go={go} />}
        <button
          type="button"
          class="home-bar"
          aria-label={screen === "lock" ? "Unlock" : screen === "home" ? "Lock" : "Home screen"}
          onClick={() => go({ screen: screen === "home" ? "lock" : "home" })}
        />
      </div>
    </section>
  )
}

const Shown = (given: { readonly number: string; readonly view: View; readonly go: (view: View) => void }) => {
  const { go, number, view } = given
  const messages = messagesTo(number)
  switch (view.screen) {
    case "lock":
      return <Lock number={number} messages={messages} calls={callsTo(number)} go={go} />
    case "home":
      return <Home messages={messages} calls={callsTo(number)} go={go} />
    case "sms":
      return <Texts messages={messages} from={view.from} go={go} />
    case "chat":
      return <Chat channel={view.channel} messages={messages} go={go} />
    case "recents":
      return <Recents calls={callsTo(number)} go={go} />
    case "fill":
      return <Fill number={number} messages={messages} go={go} />
  }
}

const Status = ({ isOffline }: { readonly isOffline: boolean }) => (
  <div class="status">
    <span>{timeOf(now.value)}</span>
    <span class="camera" />
    <span class="signs">
      {isOffline ? <Icon name="plane" /> : <span class="bars" />}
      <span class="visually-hidden">{isOffline ? "Aeroplane mode" : "Connected"}</span>
      <span class="battery" />
    </span>
  </div>
)
