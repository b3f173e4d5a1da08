/**
 * A form of a value, with JSON as the second way to edit it.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"

export const WithJson = <V,>(given: {
  readonly name: string
  readonly label: string
  readonly value: V
  readonly change: (value: V) => void
  /** Reads a value from JSON; null for JSON that the form cannot show. */
  readonly read: (json: unknown) => V | null
  /** The text of the field. */
  readonly written: (value: V) => string
  readonly children: ComponentChildren
}) => {
  // The typed text may be wrong: the server says why.
  const typed = useSignal<string | null>(null)
  const { change, label, name, read, value, written } = given
  const found = typed.value === null ? value : read(parsed(typed.value))
  const type = (text: string): void => {
    typed.value = text
    const next = read(parsed(text))
    if (next !== null) change(next)
  }
  return (
    <div class="editor">
      <input type="hidden" name={name} value={found === null ? (typed.value ?? "") : written(value)} />
      {found === null ? <p class="soft">The form cannot show this JSON.</p> : given.children}
      <details
        onToggle={({ currentTarget }) => {
          if (!currentTarget.open && found !== null) typed.value = null
        }}
      >
        <summary>Edit as JSON</summary>
        <textarea
          rows={10}
          aria-label={`${label} as JSON`}
          spellcheck={false}
          autocomplete="off"
          value={typed.value ?? JSON.stringify(value, null, 2)}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </details>
    </div>
  )
}

/** The value of a text; null for a text that is not JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
