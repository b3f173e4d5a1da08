/**
 * The dialog that confirms an act: its effect, a form for the fields that are missing, and the answer of the server.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Copy } from "../kit/Copy.tsx"
import { Icon } from "../kit/Icon.tsx"
import { type Act, asked, perform } from "./acts.ts"
import { seenAt } from "./answers.ts"
import { serverTime } from "./api.ts"
import { Inputs, typedIn } from "./Inputs.tsx"
import { type Field, commandOf } from "./session.ts"

export const ActDialog = () => {
  const act = asked.value
  return act === null ? null : <Asking key={`${act.command}${JSON.stringify(act.given)}`} act={act} />
}

const Asking = ({ act }: { readonly act: Act }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const problem = useSignal<string | null>(null)
  const isBusy = useSignal(false)
  // What streams bring under the dialog is not what its user has looked at.
  const seen = useRef(seenAt())
  const secret = useSignal<string | null>(null)
  const command = commandOf(act.command)
  const fields = fieldsOf(act, command?.fields ?? [])
  useEffect(() => dialog.current?.showModal(), [])
  // The event `close` comes in a task of its own, which a press of Enter on the button behind can overtake.
  const leave = (): void => {
    dialog.current?.close()
    asked.value = null
  }
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
  return (
    <dialog
      ref={dialog}
      class="act"
      aria-labelledby="act-label"
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) leave()
      }}
    >
      <header>
        <h2 id="act-label">{act.label}</h2>
        <button type="button" class="round" aria-label="Close" onClick={leave}>
          <Icon name="cross" />
        </button>
      </header>
      {secret.value === null ? (
        <form onSubmit={(event) => void confirm(event)}>
          <p class="soft">{act.says ?? `${command?.description ?? ""}.`}</p>
          <Inputs fields={fields} first={act.first ?? {}} />
          {problem.value !== null && (
            <p class="problem" role="alert">
              {problem.value}
            </p>
          )}
          <footer>
            <button type="button" class="button" onClick={leave}>
              Cancel
            </button>
            <button
              type="submit"
              class={act.isHard === true ? "button danger" : "button primary"}
              disabled={isBusy.value}
            >
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
      )}
    </dialog>
  )
}

const fieldsOf = ({ fields, given }: Act, all: ReadonlyArray<Field>): ReadonlyArray<Field> => {
  const names: ReadonlyArray<string> | undefined = fields
  return names === undefined
    ? all.filter(({ name }) => !(name in given))
    : names.flatMap((name) => all.filter((field) => field.name === name))
}
