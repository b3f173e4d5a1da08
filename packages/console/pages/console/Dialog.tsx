/**
 * A dialog over the page, which Escape, its cross and another page close.
 */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "../kit/Icon.tsx"

interface Given {
  readonly label: string
  /** Called when it has closed. */
  readonly closed: () => void
  /** Its content, which may close it. */
  readonly children: (leave: () => void) => ComponentChildren
}

export const Dialog = ({ children, closed, label }: Given) => {
  const dialog = useRef<HTMLDialogElement>(null)
  // The event `close` comes in a task of its own, which a press of Enter on the button behind can overtake.
  const leave = (): void => {
    dialog.current?.close()
    closed()
  }
  useLayoutEffect(() => {
    dialog.current?.showModal()
    addEventListener("hashchange", leave)
    return () => removeEventListener("hashchange", leave)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-label"
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) leave()
      }}
    >
      <header>
        <h2 id="dialog-label">{label}</h2>
        <button type="button" class="round" aria-label="Close" onClick={leave}>
          <Icon name="cross" />
        </button>
      </header>
      {children(leave)}
    </dialog>
  )
}
