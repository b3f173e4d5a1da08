/**
 * The stages behind which there is nothing to enter.
 */
import { filled, problemText } from "../Texts.ts"
import { h, say } from "./dom.ts"
import { type View, type Wiring, button, errorLine } from "./view.ts"

export const approvedView = ({ announce, controller, texts }: Wiring): View => {
  const done = h("p", { part: "done", class: "done" })
  const change = h("button", { type: "button", part: "link", class: "link" }, texts.change)
  change.addEventListener("click", () => controller.happen({ type: "change" }))
  const root = h("div", { part: "form", tabindex: "-1" }, done, h("div", { part: "more", class: "more" }, change))
  const update = (): void => {
    const text = filled(texts.approved, { to: controller.form().code?.to.written })
    say(done, text)
    announce(text)
  }
  return { root, update, focus: () => root.focus() }
}

export const endedView = ({ controller, texts }: Wiring): View => {
  const error = errorLine()
  const again = button("primary", texts.again)
  const root = h("form", { part: "form", novalidate: true }, error, again)
  root.addEventListener("submit", (event) => {
    event.preventDefault()
    controller.happen({ type: "change" })
  })
  const update = (): void => {
    const { problem } = controller.form()
    say(error, problem === null ? texts.ended : problemText(texts, problem))
  }
  return { root, update, focus: () => again.focus() }
}
