/**
 * A button that copies a text, and says that it has.
 */
import { useSignal } from "@preact/signals"
import { Icon } from "./Icon.tsx"

/** In milliseconds. */
const SHOWN = 2_000

const COPIED = "Copied"

export const Copy = (given: { readonly text: string; readonly label: string; readonly class?: string }) => {
  const says = useSignal<string | null>(null)
  const copy = async () => {
    says.value = (await written(given.text)) ? COPIED : "Copying needs https or localhost"
    setTimeout(() => (says.value = null), SHOWN)
  }
  return (
    <>
      <button type="button" class={given.class ?? "button"} onClick={() => void copy()}>
        <Icon name={says.value === COPIED ? "check" : "copy"} />
        <span>{says.value ?? given.label}</span>
      </button>
      <span class="visually-hidden" role="status">
        {says.value}
      </span>
    </>
  )
}

/** Browsers let only pages on https and on localhost write to the clipboard. */
const written = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
