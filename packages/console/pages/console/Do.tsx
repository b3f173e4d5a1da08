/**
 * A button that starts an act. Only users who may run its command see it.
 */
import type { ComponentChildren } from "preact"
import type { Input, Name, Output } from "./api.ts"
import { type Act, asked } from "./acts.ts"
import { can } from "./session.ts"

/** An act, typed by its command. */
interface Given<K extends Name> extends Omit<Act, "command" | "fields" | "given" | "first" | "secret"> {
  readonly command: K
  readonly given: Partial<Input<K>>
  readonly fields?: ReadonlyArray<string & keyof Input<K>>
  readonly first?: Partial<Input<K>>
  readonly secret?: string & keyof Output<K>
  readonly class?: string
  /** The content of the button; the label by default. */
  readonly children?: ComponentChildren
  /** Its name for users who cannot see where it is, such as "Revoke sk_live_…". */
  readonly name?: string
}

export const Do = <K extends Name>({ children, class: look = "button", name, ...act }: Given<K>) => {
  if (!can(act.command)) return null
  return (
    <button
      type="button"
      class={act.isHard === true ? `${look} hard` : look}
      aria-label={name}
      onClick={() => (asked.value = act)}
    >
      {children ?? act.label}
    </button>
  )
}
