/**
 * Acts on a number. Only users who may run their commands see them.
 */
import type { ComponentChildren } from "preact"
import { Do } from "../../Do.tsx"

interface Given {
  /** In E.164 form. */
  readonly number: string
  readonly done: () => void
}

export const Acts = ({ done, number }: Given) => (
  <>
    <Exempt number={number} done={done} />
    <Do
      command="guard block"
      label="Block the prefix"
      given={{ account_id: null }}
      first={{ place: number.slice(0, 7), for: "12h" }}
      says="Sends to numbers with this prefix are refused for the time you set. Running servers apply it within seconds."
      done={done}
    />
    <Do command="erase" label="Erase" given={{ number }} says={ERASE} isHard done={done} />
  </>
)

/** @param given.children the content of its button; its label by default */
export const Exempt = (given: Given & { readonly class?: string; readonly children?: ComponentChildren }) => (
  <Do
    command="guard pass"
    label="Exempt from guards"
    class={given.class ?? "button"}
    given={{ number: given.number, account_id: null }}
    says={EXEMPT}
    done={given.done}
  >
    {given.children}
  </Do>
)

const EXEMPT =
  "Sends to this number pass blocks, country rules and pumping rules for a day, or until you remove the exemption on the page of " +
  "guards."

const ERASE =
  "Permanently removes this number's owner from all records. Amounts stay, and so do blocks of the number, so that " +
  "nothing is sent to it."
