/**
 * The way in: an operator's token.
 */
import { useSignal } from "@preact/signals"
import { Field } from "../kit/Field.tsx"
import { Mark } from "../kit/Mark.tsx"
import { signIn, trouble } from "./session.ts"

export const SignIn = () => {
  const token = useSignal("")
  const isBusy = useSignal(false)
  const enter = async (event: Event): Promise<void> => {
    event.preventDefault()
    const typed = token.value.trim()
    if (typed === "") return void (trouble.value = "Enter your token. It begins with wwo_.")
    isBusy.value = true
    await signIn(typed)
    isBusy.value = false
  }
  return (
    <main class="entry">
      <form onSubmit={(event) => void enter(event)}>
        <Mark />
        <h1>Watchword console</h1>
        <p class="soft">Sign in with your operator token. An admin creates one with:</p>
        <pre tabIndex={0}>watchword operator grant --name anna --role support</pre>
        <Field id="token" label="Token" isSecret value={token} placeholder="wwo_…" isInvalid={trouble.value !== null} />
        {trouble.value !== null && (
          <p class="problem" role="alert">
            {trouble.value}
          </p>
        )}
        <button type="submit" class="button primary" disabled={isBusy.value}>
          Sign in
        </button>
        <p class="soft small">
          On the server's machine, <code>watchword console open</code> prints a link that signs in once.
        </p>
      </form>
    </main>
  )
}
