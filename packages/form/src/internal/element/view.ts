/**
 * What the views of all stages share.
 */
import type { Controller } from "../Controller.ts"
import { type Texts, type Values, filled, problemText } from "../Texts.ts"
import type { Problem } from "../Wire.ts"
import { h, say, set } from "./dom.ts"

/** The part of a stage. */
export interface View {
  readonly root: HTMLElement
  /** Shows the form as it is now. */
  readonly update: () => void
  readonly focus: () => void
  readonly stop?: () => void
}

/** What a view is made with. */
export interface Wiring {
  readonly controller: Controller
  readonly texts: Texts
  /** Says a text to those who do not see it. */
  readonly announce: (text: string) => void
}

export const button = (kind: "primary", text: string): HTMLButtonElement =>
  h("button", { type: "submit", part: "button", class: kind }, text)

export const errorLine = (): HTMLElement => h("p", { id: "error", part: "error", class: "error", role: "alert" })

/** Shows what is wrong under the field that it is about. */
export const showProblem = (
  line: Element,
  [input, frame]: readonly [Element, Element],
  problem: Problem | null,
  texts: Texts,
  values: Values
): void => {
  const isWrong = problem !== null && /^(?:number|code|country|wrong)_/.test(problem.reason)
  say(line, problem === null ? "" : filled(problemText(texts, problem), values))
  set(input, { "aria-invalid": isWrong && "true" })
  frame.classList.toggle("bad", isWrong)
}
