/**
 * The element: a shadow tree with one view for each stage.
 */
import { type Controller, createForm } from "../Controller.ts"
import { countryOfTag } from "../Countries.ts"
import type { Form } from "../Machine.ts"
import { type Texts, directionOf, languageOf } from "../Texts.ts"
import { texts as english } from "../languages/en.ts"
import { loadTexts } from "../languages/load.ts"
import type { Stage } from "../Wire.ts"
import { codeView } from "./codeView.ts"
import { h, say, set } from "./dom.ts"
import { approvedView, endedView } from "./endViews.ts"
import { numberView } from "./numberView.ts"
import { style } from "./style.ts"
import type { View, Wiring } from "./view.ts"

const views: Readonly<Record<Stage, (wiring: Wiring) => View>> = {
  number: numberView,
  code: codeView,
  approved: approvedView,
  ended: endedView
}

/** There is no `HTMLElement` during server-side rendering. */
const Base: typeof HTMLElement = Reflect.get(globalThis, "HTMLElement") ?? Object

/**
 * `<watchword-form action="/phone">`: has a user prove a phone number to the handler at an address.
 *
 * | attribute | |
 * |---|---|
 * | `action` | the address of the handler; the page's own by default |
 * | `lang` | the language, as a BCP 47 tag; by default that of the page |
 * | `country` | ISO 3166-1 alpha-2 code of where numbers without a calling code are dialled; by default as the handler says |
 * | `texts` | texts that replace the form's own, as JSON |
 *
 * Events: `sent`, `approved` and `ended`. After an approval it navigates to the handler's location, unless the event is
 * prevented. Its content is visible until the script has loaded.
 */
export class WatchwordForm extends Base {
  static readonly observedAttributes = ["lang", "texts"]

  #controller: Controller | undefined
  #stop = (): void => {}
  #relabel = (): void => {}

  /** Texts that replace the form's own. */
  get texts(): Partial<Texts> {
    try {
      return JSON.parse(this.getAttribute("texts") ?? "{}")
    } catch {
      return {}
    }
  }

  set texts(texts: Partial<Texts> | string | undefined) {
    const text = typeof texts === "string" ? texts : JSON.stringify(texts ?? {})
    if (text !== this.getAttribute("texts")) this.setAttribute("texts", text)
  }

  /** The current form; null outside of a document. */
  get form(): Form | null {
    return this.#controller?.form() ?? null
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true })
    root.adoptedStyleSheets = [sheet()]
    const tag = (): string => this.closest("[lang]")?.getAttribute("lang") || navigator.language
    const [status, place] = [h("p", { role: "status", class: "hidden" }), h("div", {})]
    root.replaceChildren(place, status)

    let texts: Texts = { ...english, ...this.texts }
    let view: View | undefined
    let shown: Form | undefined

    const show = (form: Form): void => {
      const before = shown
      shown = form
      if (view === undefined || before?.stage !== form.stage) open(form.stage)
      view?.update()
      if (before !== undefined && before.stage !== form.stage) this.#tell(before, form)
    }

    const open = (stage: Stage): void => {
      const hadFocus = root.activeElement !== null
      view?.stop?.()
      if (stage !== "code" && stage !== "approved") say(status, "")
      view = views[stage]({ controller, texts, announce: (text) => say(status, text) })
      place.replaceChildren(view.root)
      if (hadFocus) view.focus()
    }

    const controller = createForm({
      action: this.getAttribute("action") ?? "",
      country: this.getAttribute("country") ?? countryOfTag(navigator.language) ?? "US",
      language: tag(),
      onChange: show
    })
    this.#controller = controller

    this.#relabel = () => {
      const language = languageOf(tag())
      set(place, { lang: language, dir: directionOf(language) })
      const label = (found: Texts | undefined): void => {
        texts = { ...(found ?? english), ...this.texts }
        view?.stop?.()
        view = undefined
        controller.happen({ type: "language", language: tag() })
        show(controller.form())
      }
      label(undefined)
      if (language !== "en")
        void loadTexts(language).then((found) => found && languageOf(tag()) === language && label(found))
    }
    this.#relabel()
    if (this.hasAttribute("country")) controller.happen({ type: "country", country: controller.form().country })
    controller.refresh()

    // Another tab may have gone on meanwhile.
    const look = (): void => {
      if (document.visibilityState === "visible" && controller.form().stage === "code") controller.refresh()
    }
    document.addEventListener("visibilitychange", look)
    this.#stop = () => {
      document.removeEventListener("visibilitychange", look)
      view?.stop?.()
      controller.stop()
    }
  }

  disconnectedCallback(): void {
    this.#stop()
    this.#controller = undefined
    this.#relabel = () => {}
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#relabel()
  }

  /** Dispatches events for the user's actions. A page that opens with a pending verification dispatches no event. */
  #tell(before: Form, { code, location, problem, stage }: Form): void {
    const to = code?.to.number ?? null
    if (before.asking === "state" && before.stage === "number") return
    if (stage === "code") this.#dispatch("sent", { to })
    if (stage === "ended") this.#dispatch("ended", { reason: problem?.reason ?? null })
    if (stage !== "approved") return
    if (this.#dispatch("approved", { to, location }) && location !== null) globalThis.location.assign(location)
  }

  #dispatch(type: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }))
  }
}

let shared: CSSStyleSheet | undefined

/** A constructed sheet is allowed by every content security policy. */
const sheet = (): CSSStyleSheet => {
  if (shared === undefined) {
    shared = new CSSStyleSheet()
    shared.replaceSync(style)
  }
  return shared
}
