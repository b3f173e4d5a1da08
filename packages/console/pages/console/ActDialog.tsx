/**
 * The dialog that confirms an act: its effect, a form for the fields that are missing, and the answer of the server.
 */
import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { Copy } from "../kit/Copy.tsx"
import { type Act, asked, perform } from "./acts.ts"
import { seenAt } from "./answers.ts"
import { serverTime } from "./api.ts"
import { Dialog } from "./Dialog.tsx"
import { Inputs, typedIn } from "./Inputs.tsx"
import { type Field, commandOf } from "./session.ts"

export const ActDialog = () => {
  const act = asked.value
  if (act === null) return null
  return (
    <Dialog key={`${act.command}${JSON.stringify(act.given)}`} label={act.label} closed={() => (asked.value = null)}>
      {(leave) => <Asking act={act} leave={leave} />}
    </Dialog>
  )
}

const Asking = ({ act, leave }: { readonly act: Act; readonly leave: () => void }) => {
  const problem = useSignal<string | null>(null)
  const isBusy = useSignal(false)
  // What streams bring under the dialog is not what its user has looked at.
  const seen = useRef(seenAt())
  const secret = useSignal<string | null>(null)
  const command = commandOf(act.command)
  const fields = fieldsOf(act, command?.fields ?? [])
  const confirm = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const typed = typedIn(event.currentTarget, fields, act.first ?? {})
    if (typeof typed === "string") return void (problem.value = typed)
    isBusy.value = true
    problem.value = null
    try {
      secret.value = await perform(act, typed, seen.current)
      act.done?.()
      if (secret.value === null) leave()
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
      // A refusal tells of the change of another operator, so the next try goes through.
      seen.current = serverTime()
    }
    isBusy.value = false
  }
  return secret.value === null ? (
    <form onSubmit={(event) => void confirm(event)}>
      <p class="soft">{act.says ?? `${command?.description ?? ""}.`}</p>
      <Inputs fields={fields} first={act.first ?? {}} given={act.given} />
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <footer>
        <button type="button" class="button" onClick={leave}>
          Cancel
        </button>
        <button type="submit" class={act.isHard === true ? "button danger" : "button primary"} disabled={isBusy.value}>
          {act.label}
        </button>
      </footer>
    </form>
  ) : (
    <div class="secret">
      <p>Copy it now. It will not be shown again.</p>
      <output>{secret.value}</output>
      <footer>
        <Copy text={secret.value} label="Copy" class="button primary" />
        <button type="button" class="button" onClick={leave}>
          Done
        </button>
      </footer>
    </div>
  )
}

const fieldsOf = ({ fields, given }: Act, all: ReadonlyArray<Field>): ReadonlyArray<Field> => {
  const names: ReadonlyArray<string> | undefined = fields
  return names === undefined
    ? all.filter(({ name }) => !(name in given))
    : names.flatMap((name) => all.filter((field) => field.name === name))
}
