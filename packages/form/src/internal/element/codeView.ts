/**
 * The stage in which a user enters a code: one field over as many boxes as the code has digits.
 */
import { resendIn } from "../Machine.ts"
import { RECEIVE, filled, sendBy, sentBy } from "../Texts.ts"
import { h, say, set } from "./dom.ts"
import { type View, type Wiring, button, errorLine, showProblem } from "./view.ts"
import { waysView } from "./waysView.ts"

export const codeView = ({ announce, controller, texts }: Wiring): View => {
  const { form, happen } = controller
  const input = h("input", FIELD)
  const boxes = h("div", { class: "code", part: "code", dir: "ltr" }, input)
  const [sent, error] = [h("p", { id: "sent", part: "sent", class: "sent" }), errorLine()]
  const label = h("label", { part: "label", for: "code" }, texts.code)
  const submit = button("primary", texts.confirm)
  const ways = waysView(texts)
  const [resend, other, change] = [link(texts.resend), link(""), link(texts.change)]
  const root = h(
    "form",
    { part: "form", novalidate: true },
    sent,
    ways.root,
    label,
    boxes,
    error,
    submit,
    h("div", { part: "more", class: "more" }, resend, other, change)
  )

  /** Draws the digits, and marks the box of the next digit. */
  const draw = (length: number): void => {
    boxes.style.setProperty("--_length", String(length))
    while (boxes.childElementCount <= length) boxes.append(h("span", { "aria-hidden": "true" }))
    while (boxes.childElementCount > length + 1) boxes.lastElementChild?.remove()
    const caret = Math.min(input.selectionStart ?? input.value.length, length - 1)
    for (const [index, box] of [...boxes.children].slice(1).entries()) {
      say(box, input.value.charAt(index))
      set(box, { part: `box${index === caret ? " current" : ""}`, class: `box${index === caret ? " on" : ""}` })
    }
  }

  const enter = (): void => {
    happen({ type: "code", text: input.value })
    // Removes characters that are not digits.
    update()
  }

  input.addEventListener("input", enter)
  for (const type of ["keyup", "click", "focus", "select"]) input.addEventListener(type, () => draw(lengthOf()))
  root.addEventListener("submit", (event) => {
    event.preventDefault()
    happen({ type: "confirm" })
  })
  resend.addEventListener("click", () => {
    if (resendIn(form()) === 0) happen({ type: "resend" })
  })
  other.addEventListener("click", () => {
    if (resendIn(form()) === 0 || form().code?.channel === RECEIVE) happen({ type: "other" })
  })
  change.addEventListener("click", () => happen({ type: "change" }))

  const lengthOf = (): number => form().code?.code_length ?? 0

  const update = (): void => {
    const { asking, code, problem } = form()
    if (code === null) return
    const values = { to: code.to.written, length: code.code_length, left: code.checks_left }
    const text = filled(sentBy(texts, code), values)
    say(sent, text)
    announce(text)
    ways.update(code.ways)
    for (const each of [label, boxes, submit]) set(each, { hidden: !code.has_code })
    if (input.value !== code.entered) input.value = code.entered
    draw(code.code_length)
    showProblem(error, [input, boxes], problem, texts, values)
    set(submit, { "aria-busy": String(asking === "check") })
    const wait = resendIn(form())
    const isWaiting = String(wait > 0)
    say(resend, wait > 0 ? filled(texts.resend_in, { seconds: wait }) : texts.resend)
    const isActing = code.channel === RECEIVE
    set(resend, {
      hidden: code.sends_left === 0 || isActing,
      "aria-disabled": isWaiting,
      "aria-busy": String(asking === "resend")
    })
    say(other, sendBy(texts, code.channel, code.other ?? ""))
    set(other, {
      hidden: code.other === null,
      "aria-disabled": !isActing && isWaiting,
      "aria-busy": String(asking === "other")
    })
  }

  const stop = offered((code) => {
    happen({ type: "code", text: code })
    update()
  })
  const focus = (): void => (form().code?.has_code === false ? ways.root.querySelector("a") : input)?.focus()
  return { root, update, focus, stop }
}

const FIELD = {
  id: "code",
  part: "input",
  name: "code",
  type: "text",
  inputmode: "numeric",
  autocomplete: "one-time-code",
  pattern: "[0-9]*",
  spellcheck: "false",
  "aria-describedby": "sent error"
}

const link = (text: string): HTMLButtonElement => h("button", { type: "button", part: "link", class: "link" }, text)

/** Receives the code that the browser reads from a text message (WebOTP). Returns a function that stops it. */
const offered = (take: (code: string) => void): (() => void) => {
  const ending = new AbortController()
  if (!("OTPCredential" in globalThis)) return () => {}
  const request: CredentialRequestOptions & { readonly otp: object } = {
    otp: { transport: ["sms"] },
    signal: ending.signal
  }
  // If the user refuses, they type the code.
  void navigator.credentials.get(request).then(
    (credential) => {
      const code: unknown = credential === null ? null : Reflect.get(credential, "code")
      if (typeof code === "string" && !ending.signal.aborted) take(code)
      return null
    },
    () => null
  )
  return () => ending.abort()
}
