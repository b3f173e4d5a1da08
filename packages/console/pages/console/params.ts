/**
 * Choices of a page that are fields of its address, so that "Back" restores them, and a colleague gets them by a link.
 */
import type { Option } from "../kit/Segmented.tsx"
import { param, setParams } from "./route.ts"

export type Options<A extends string> = readonly [Option<A>, ...ReadonlyArray<Option<A>>]

export interface Choosing<A extends string> {
  readonly value: A
  readonly options: Options<A>
  readonly choose: (value: A) => void
}

/**
 * A choice by the name of its field.
 *
 * @param usual the option of an address without the field; the first option unless given
 */
export const choiceOf = <A extends string>(
  name: string,
  options: Options<A>,
  usual: A = options[0].value
): Choosing<A> => ({
  value: options.find((option) => option.value === param(name))?.value ?? usual,
  options,
  choose: (chosen) => setParams({ [name]: chosen === usual ? "" : chosen })
})

/** Whether one of several things on a page is open, by the name of its field. */
export const openOf = (name: string, id: string) => ({
  isOpen: param(name) === id,
  toggle: (isOpen: boolean): void => {
    if (isOpen !== (param(name) === id)) setParams({ [name]: isOpen ? id : "" })
  }
})
