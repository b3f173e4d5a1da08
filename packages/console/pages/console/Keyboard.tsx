/**
 * The keyboard's way through the console: `?` shows its keys, arrows move through rows, and Enter opens one.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Dialog } from "./Dialog.tsx"
import { isTyping } from "./LookUp.tsx"

const KEYS = [
  ["/", "Find a number"],
  ["↓ ↑", "Move through the rows of a list"],
  ["Enter", "Open a row"],
  ["p", "Pause or resume the live list"],
  ["?", "Show these keys"],
  ["Esc", "Close a dialog"]
] as const

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

export const Keyboard = () => {
  const isOpen = useSignal(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "?") isOpen.value = true
      const step = STEPS[event.key]
      if (step !== undefined && moved(step)) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
  if (!isOpen.value) return null
  return (
    <Dialog label="Keys" closed={() => (isOpen.value = false)}>
      {() => (
        <dl class="keys">
          {KEYS.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  )
}

/** Moves the focus to the row after or before the focused one; answers whether the page has rows that open. */
const moved = (step: number): boolean => {
  const rows = [...document.querySelectorAll<HTMLElement>("main .opens .whole")]
  const at = rows.findIndex((row) => row === document.activeElement)
  // Without a focused row, the first visible row.
  const next = at < 0 ? rows.find((row) => row.getBoundingClientRect().top >= 0) : rows[at + step]
  next?.focus()
  return at >= 0 || next !== undefined
}
