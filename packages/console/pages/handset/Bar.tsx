/**
 * The bar above the phones: whether the server answers, another phone, a clean slate.
 */
import { useSignal } from "@preact/signals"
import { clear, setPhone } from "./api.ts"
import { Mark } from "../kit/Mark.tsx"
import { act, isLive } from "./acts.ts"
import { seen, show, usual } from "./phones.ts"
import { session, signOut } from "./session.ts"

export const Bar = () => {
  const number = useSignal("")
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    const wanted = number.value.replaceAll(/[\s()-]/g, "")
    if (wanted === "") return
    const isSet = await act((session) => setPhone(session, { ...usual(wanted), mode: "manual" }))
    if (!isSet) return
    show(wanted)
    number.value = ""
  }
  return (
    <header class="bar">
      <Mark />
      <h1>Phones</h1>
      <Live />
      <form onSubmit={(event) => void add(event)}>
        <input
          type="tel"
          aria-label="Number"
          placeholder="+4915123456789"
          autocomplete="off"
          value={number.value}
          onInput={({ currentTarget }) => (number.value = currentTarget.value)}
        />
        <button type="submit" class="button primary">
          Add a phone
        </button>
      </form>
      <button
        type="button"
        class="button"
        onClick={() => void act(clear).then((isDone) => isDone && (seen.value = new Set()))}
      >
        Clear
      </button>
      {session.value?.isTyped === true && (
        <button type="button" class="button" onClick={signOut}>
          Sign out
        </button>
      )}
    </header>
  )
}

const Live = () =>
  isLive.value === null ? null : (
    <p class={isLive.value ? "live" : "live gone"} role="status">
      {isLive.value ? "Connected" : "Reconnecting…"}
    </p>
  )
