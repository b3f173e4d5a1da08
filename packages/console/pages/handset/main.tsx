/**
 * The handset: telephones of the sandbox on the screen.
 */
import { effect } from "@preact/signals"
import { render } from "preact"
import { Icon } from "../kit/Icon.tsx"
import { Bar } from "./Bar.tsx"
import { Desk } from "./Desk.tsx"
import { Empty } from "./Empty.tsx"
import { isLive, trouble } from "./acts.ts"
import { calls, replaced, show, shown } from "./phones.ts"
import { arrival } from "./stream.ts"
import { Phone } from "./screens/Phone.tsx"
import { open, session } from "./session.ts"
import { SignIn } from "./SignIn.tsx"
import { Strip, placeOf } from "./Strip.tsx"

const Handset = () => {
  if (session.value === undefined) return null
  if (session.value === null) return <SignIn />
  return (
    <>
      <Bar />
      {isLive.value === false && (
        <div class="notice" role="alert">
          <p>The server is not responding. The phones may be out of date; the page reconnects automatically.</p>
        </div>
      )}
      {trouble.value !== null && (
        <div class="notice bad" role="alert">
          <p>{trouble.value}</p>
          <button type="button" class="round" aria-label="Dismiss" onClick={() => (trouble.value = null)}>
            <Icon name="cross" />
          </button>
        </div>
      )}
      {replaced.value !== null && <Replaced {...replaced.value} />}
      <main>
        {shown.value.length === 0 ? (
          isLive.value !== null && <Empty />
        ) : (
          <>
            <Strip numbers={shown.value} />
            <div class="shelf" data-count={shown.value.length}>
              {shown.value.map((number, place) => (
                <div class="place" key={number} id={placeOf(number)}>
                  <Phone number={number} place={place} />
                  <Desk number={number} />
                </div>
              ))}
            </div>
          </>
        )}
      </main>
      <p class="visually-hidden" aria-live="polite">
        {arrival.value}
      </p>
    </>
  )
}

/** Says which phone left the screen, and brings it back. */
const Replaced = ({ by, number }: { readonly by: string; readonly number: string }) => (
  <div class="notice" role="status">
    <p>
      The page shows four phones at a time: {by} replaced {number}.
    </p>
    <button type="button" class="button" onClick={() => show(number)}>
      Show {number}
    </button>
    <button type="button" class="round" aria-label="Dismiss" onClick={() => (replaced.value = null)}>
      <Icon name="cross" />
    </button>
  </div>
)

/** A tab in the background shows that a phone rings. */
effect(() => {
  const rings = [...calls.value.values()].some(({ state }) => state === "ringing")
  document.title = rings ? "Ringing: Watchword phones" : "Watchword phones"
})

const root = document.getElementById("app")
if (root !== null) render(<Handset />, root)
void open()
