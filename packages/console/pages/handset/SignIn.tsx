/**
 * The way in where the server gives no credentials: a sandbox key.
 */
import { useSignal } from "@preact/signals"
import { Field } from "../kit/Field.tsx"
import { Mark } from "../kit/Mark.tsx"
import { trouble } from "./acts.ts"
import { signIn } from "./session.ts"

export const SignIn = () => {
  const account = useSignal("")
  const key = useSignal("")
  const enter = (event: Event): void => {
    event.preventDefault()
    const typed = key.value.trim()
    if (account.value.trim() === "" || typed === "") trouble.value = "Both the account and the key are needed."
    else if (typed.startsWith("sk_live_")) trouble.value = "This key is live. Phones on the screen take a sandbox key."
    else {
      trouble.value = null
      signIn(account.value.trim(), typed)
    }
  }
  return (
    <main class="entry">
      <form onSubmit={enter}>
        <Mark />
        <h1>Telephones on the screen</h1>
        <p class="soft">
          They show what your sandbox sends: texts, chats and calls. Sign in with a sandbox key; the server prints one
          when it starts on an empty database.
        </p>
        <Field id="account" label="Account" value={account} placeholder="acc_…" isInvalid={trouble.value !== null} />
        <Field
          id="key"
          label="Sandbox key"
          isSecret
          value={key}
          placeholder="sk_test_…"
          isInvalid={trouble.value !== null}
        />
        {trouble.value !== null && (
          <p class="problem" role="alert">
            {trouble.value}
          </p>
        )}
        <button type="submit" class="button primary">
          Show the phones
        </button>
        <p class="soft small">The key stays in this tab, and is forgotten when you close it.</p>
      </form>
    </main>
  )
}
