/**
 * Types and elements shared by the views of all stages.
 */
import type { Controller } from "../Controller.ts"
import { type Texts, type Values, filled, problemText } from "../Texts.ts"
import type { Problem } from "../Wire.ts"
import { h, say, set } from "./dom.ts"

/** The part of a stage. */
export interface View {
  readonly root: HTMLElement
  /** Renders the current form. */
  readonly update: () => void
  readonly focus: () => void
  readonly stop?: () => void
}

/** The context of a view. */
export interface Wiring {
  readonly controller: Controller
  readonly texts: Texts
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
}

export const button = (kind: "primary", text: string): HTMLButtonElement =>
  h("button", { type: "submit", part: "button", class: kind }, text)

export const errorLine = (): HTMLElement => h("p", { id: "error", part: "error", class: "error", role: "alert" })

/** Shows the error below its field. */
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
