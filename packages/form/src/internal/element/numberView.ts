/**
 * The stage in which a user enters a number.
 */
import { callingCodeOf, countriesIn } from "../Countries.ts"
import type { Numbers } from "../numbers/Numbers.ts"
import { h, say, set } from "./dom.ts"
import { type View, type Wiring, button, errorLine, showProblem } from "./view.ts"

export const numberView = ({ controller, texts }: Wiring): View => {
  const { form, happen } = controller
  const [input, select] = [h("input", FIELD), h("select", { "aria-label": texts.country, autocomplete: "off" })]
  const chosen = h("span", { "aria-hidden": "true" })
  const field = h(
    "div",
    { part: "field", class: "field", dir: "ltr" },
    h("span", { part: "country", class: "country" }, chosen, select),
    input
  )
  const [error, readings] = [errorLine(), h("fieldset", { part: "readings", class: "readings", hidden: true })]
  const submit = button("primary", texts.send)
  const root = h(
    "form",
    { part: "form", novalidate: true },
    h("label", { part: "label", for: "number" }, texts.number),
    field,
    error,
    readings,
    submit
  )

  let numbers: Numbers | undefined
  let listed = ""

  /** Groups the digits, and keeps the caret after the same digit. */
  const group = (): void => {
    const caret = input.selectionStart ?? input.value.length
    const isAtEnd = caret === input.value.length
    const digits = digitsIn(input.value.slice(0, caret))
    const typed = numbers?.typed(input.value, form().country)
    if (typed !== undefined && typed.text !== input.value) {
      input.value = typed.text
      const place = isAtEnd ? typed.text.length : placeBehind(typed.text, digits)
      if (root.contains(input) && input.matches(":focus")) input.setSelectionRange(place, place)
    }
    if (input.value !== form().number) happen({ type: "number", text: input.value })
    if (typed?.country != null && typed.country !== form().country) happen({ type: "country", country: typed.country })
  }

  /** Loads the module that groups digits when the field is first used, then groups the text typed meanwhile. */
  const prepare = async (): Promise<void> => {
    numbers ??= await controller.numbers()
    if (input.value !== "") group()
  }

  const list = (language: string): void => {
    listed = language
    select.replaceChildren(
      ...countriesIn(language).map(({ callingCode, code, name }) =>
        h("option", { value: code }, `${name} (+${callingCode})`)
      )
    )
  }

  root.addEventListener("focusin", () => void prepare())
  input.addEventListener("input", () => group())
  select.addEventListener("change", () => {
    happen({ type: "country", country: select.value })
    group()
    input.focus()
  })
  root.addEventListener("submit", (event) => {
    event.preventDefault()
    controller.send()
  })

  const update = (): void => {
    const { asking, country, language, number, problem, readings: found } = form()
    if (listed !== language) list(language)
    select.value = country
    say(chosen, `${country} +${callingCodeOf(country) ?? ""}`)
    if (input.value !== number) input.value = number
    showProblem(error, [input, field], problem, texts, {})
    const isAsked = found.map(({ number }) => number).join(" ")
    if (readings.dataset["of"] !== isAsked) {
      readings.dataset["of"] = isAsked
      readings.replaceChildren(
        h("legend", { part: "label" }, texts.which),
        ...found.map(({ number, written }) => {
          const reading = h("button", { type: "button", part: "reading", class: "reading", dir: "ltr" }, written)
          reading.addEventListener("click", () => controller.send(number))
          return reading
        })
      )
    }
    readings.hidden = found.length === 0
    set(submit, { "aria-busy": String(asking === "start") })
  }

  return { root, update, focus: () => input.focus() }
}

const FIELD = {
  id: "number",
  part: "input",
  type: "tel",
  name: "tel",
  autocomplete: "tel",
  dir: "ltr",
  "aria-describedby": "error"
}

const digitsIn = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0

/** The index after the given number of digits. */
const placeBehind = (text: string, digits: number): number => {
  let place = 0
  for (let left = digits; left > 0 && place < text.length; place += 1) if (/\d/.test(text.charAt(place))) left -= 1
  return place
}
