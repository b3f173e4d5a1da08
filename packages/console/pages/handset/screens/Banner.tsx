/**
 * A message that arrives while an app is open, shown above the app for some seconds.
 */
import { now } from "../../kit/clock.ts"
import { messagesTo, seen } from "../phones.ts"
import { Notification } from "./Lock.tsx"
import { type Go, type View, viewOf } from "./View.ts"

const SECONDS = 6

export const Banner = (given: { readonly number: string; readonly view: View; readonly go: Go }) => {
  const [newest] = messagesTo(given.number)
  if (newest === undefined || seen.value.has(newest.id)) return null
  if (now.value - Date.parse(newest.changed_at) > SECONDS * 1_000) return null
  if (given.view.screen === viewOf(newest).screen) return null
  return (
    <div class="banner">
      <Notification message={newest} go={given.go} />
    </div>
  )
}
