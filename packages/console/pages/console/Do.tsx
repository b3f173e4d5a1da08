/**
 * The button of an act. It is there for those who may.
 */
import type { ComponentChildren } from "preact"
import type { Input, Name, Output } from "./api.ts"
import { type Act, asked } from "./acts.ts"
import { can } from "./session.ts"

/** An act by the types of its command. */
interface Given<K extends Name> extends Omit<Act, "command" | "fields" | "given" | "first" | "secret"> {
  readonly command: K
  readonly given: Partial<Input<K>>
  readonly fields?: ReadonlyArray<string & keyof Input<K>>
  readonly first?: Partial<Input<K>>
  readonly secret?: string & keyof Output<K>
  readonly class?: string
  /** What stands in the button; the label unless given. */
  readonly children?: ComponentChildren
  /** Its name for those who do not see where it stands, such as "Revoke sk_live_…". */
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
