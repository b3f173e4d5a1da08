/**
 * The look-up of a number, which every page has: `/` leads to it.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Glyph } from "./Glyph.tsx"
import { go } from "./route.ts"
import { numberIn } from "./words.ts"

export const LookUp = ({ isLarge = false }: { readonly isLarge?: boolean }) => {
  const text = useSignal("")
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isLarge) return void input.current?.focus()
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "/" || isTyping(event.target) || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
  const find = (event: Event): void => {
    event.preventDefault()
    const typed = numberIn(text.value)
    if (typed === "") return
    if (typed.startsWith("acc_")) go("accounts", typed)
    else go("number", typed)
    text.value = ""
    input.current?.blur()
  }
  return (
    <form class={isLarge ? "lookup large" : "lookup"} role="search" onSubmit={find}>
      <Glyph name="number" />
      <input
        ref={input}
        type="search"
        inputMode="tel"
        aria-label={isLarge ? "Number to look up" : "Find a number"}
        aria-keyshortcuts={isLarge ? undefined : "/"}
        placeholder={isLarge ? "+4915123456789" : "Find a number"}
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      {isLarge ? (
        <button type="submit" class="button primary">
          Look up
        </button>
      ) : (
        <kbd aria-hidden="true">/</kbd>
      )}
    </form>
  )
}

/** Whether a key that is pressed there is a letter of a text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.closest("input, textarea, select, dialog") !== null || target.isContentEditable)
