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
    if (account.value.trim() === "" || typed === "") trouble.value = "Enter both the account and the key."
    else if (typed.startsWith("sk_live_")) trouble.value = "This is a live key. On-screen phones need a sandbox key."
    else {
      trouble.value = null
      signIn(account.value.trim(), typed)
    }
  }
  return (
    <main class="entry">
      <form onSubmit={enter}>
        <Mark />
        <h1>On-screen phones</h1>
        <p class="soft">
          These phones show the texts, chats and calls that your sandbox sends. Sign in with a sandbox key; the server
          prints one when it starts on an empty database.
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
        <p class="soft small">The key stays in this tab and is forgotten when you close it.</p>
      </form>
    </main>
  )
}
