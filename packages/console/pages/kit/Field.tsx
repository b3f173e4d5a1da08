/**
 * A text field of one line, with its label and its error.
 */
import type { Signal } from "@preact/signals"

const SECRET = { type: "password" } as const
const PLAIN = { type: "text" } as const

export const Field = (given: {
  readonly id: string
  readonly label: string
  readonly value: Signal<string>
  readonly placeholder: string
  readonly isSecret?: boolean
  readonly isInvalid?: boolean
}) => (
  <div class="field">
    <label for={given.id}>{given.label}</label>
    <input
      id={given.id}
      {...(given.isSecret === true ? SECRET : PLAIN)}
      placeholder={given.placeholder}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-invalid={given.isInvalid ?? false}
      value={given.value.value}
      onInput={({ currentTarget }) => (given.value.value = currentTarget.value)}
    />
  </div>
)
