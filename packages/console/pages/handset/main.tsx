/**
 * The handset: telephones of the sandbox on the screen.
 */
import { useSignal } from "@preact/signals"
import { render } from "preact"
import { setPhone } from "./api.ts"
import { Phone } from "./Phone.tsx"
import { act, show, shown, trouble, usual } from "./phones.ts"
import { open, session, signIn } from "./session.ts"
import { Under } from "./Under.tsx"

const Handset = () => {
  if (session.value === undefined) return null
  if (session.value === null) return <SignIn />
  return (
    <>
      <Bar />
      {trouble.value !== null && (
        <div class="notice bad" role="alert">
          {trouble.value}
        </div>
      )}
      <main>
        {shown.value.length === 0 ? (
          <div class="empty">
            <h2>No phone yet</h2>
            <p>
              Start a verification in your app: the phone of its number appears here by itself. Or add one by its number
              above.
            </p>
          </div>
        ) : (
          <div class="shelf">
            {shown.value.map((number) => (
              <div class="desk" key={number}>
                <Phone number={number} />
                <Under number={number} />
              </div>
            ))}
          </div>
        )}
      </main>
    </>
  )
}

const Bar = () => {
  const number = useSignal("")
  const add = (event: Event) => {
    event.preventDefault()
    const current = session.value
    const wanted = number.value.replaceAll(/[\s()-]/g, "")
    if (!current || wanted === "") return
    act(async () => {
      await setPhone(current, { ...usual(wanted), mode: "manual" })
      show(wanted)
      number.value = ""
    })
  }
  return (
    <header class="bar">
      <h1>Phones</h1>
      <form onSubmit={add}>
        <label class="visually-hidden" for="number">
          Number
        </label>
        <input
          id="number"
          type="tel"
          placeholder="+4915123456789"
          autocomplete="off"
          value={number.value}
          onInput={({ currentTarget }) => (number.value = currentTarget.value)}
        />
        <button type="submit" class="button primary">
          Add a phone
        </button>
      </form>
    </header>
  )
}

const SignIn = () => {
  const account = useSignal("")
  const key = useSignal("")
  const enter = (event: Event) => {
    event.preventDefault()
    if (account.value !== "" && key.value !== "") signIn(account.value.trim(), key.value.trim())
  }
  return (
    <main>
      <form class="sign-in" onSubmit={enter}>
        <h1>Phones of the sandbox</h1>
        <p>Sign in with a sandbox key. It stays in this tab.</p>
        <div class="field">
          <label for="account">Account</label>
          <input
            id="account"
            placeholder="acc_…"
            autocomplete="off"
            value={account.value}
            onInput={({ currentTarget }) => (account.value = currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="key">Sandbox key</label>
          <input
            id="key"
            type="password"
            placeholder="sk_test_…"
            autocomplete="off"
            value={key.value}
            onInput={({ currentTarget }) => (key.value = currentTarget.value)}
          />
        </div>
        {trouble.value !== null && (
          <p class="problem" role="alert">
            {trouble.value}
          </p>
        )}
        <button type="submit" class="button primary">
          Show the phones
        </button>
      </form>
    </main>
  )
}

const root = document.getElementById("app")
if (root !== null) render(<Handset />, root)
void open()
