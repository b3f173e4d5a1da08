/**
 * Runs a form: the pure functions with a clock and `fetch`.
 */
import { type Form, type Happening, begin, resendIn, step } from "./Machine.ts"
import type { Numbers } from "./numbers/Numbers.ts"
import { type Ask, answerOf } from "./Wire.ts"

/** The environment of a controller. */
export interface Options {
  /** The address at which the app mounts the handler. */
  readonly action: string
  /** ISO 3166-1 alpha-2 code of where numbers without a calling code are dialled. */
  readonly country: string
  /** A BCP 47 tag: of the texts, and of the message with the code. */
  readonly language: string
  /** Called with the form after each change. */
  readonly onChange: (form: Form) => void
  /** `globalThis.fetch` by default. */
  readonly fetch?: typeof fetch
  /** The time in milliseconds; `Date.now` by default. */
  readonly now?: () => number
  /**
   * Loads what reads and groups numbers; by default a module of this package, which bundlers put into a file of its
   * own.
   */
  readonly numbers?: () => Promise<Numbers>
}

/** A running form. Each function is an action of its user. */
export interface Controller {
  readonly form: () => Form
  /** Feeds any happening to the form. The other functions cover the common ones. */
  readonly happen: (happening: Happening) => void
  /** Loads the module that reads and groups numbers. Resolves to `undefined` if it cannot be loaded. */
  readonly numbers: () => Promise<Numbers | undefined>
  /** Sends the number in the field. Once the module that reads numbers is loaded, mistakes are found here. */
  readonly send: (number?: string) => void
  /** Asks the handler for the state of the session's verification. */
  readonly refresh: () => void
  /** Stops the clock and ignores any answer that arrives later. */
  readonly stop: () => void
}

/**
 * Starts a form without any markup: for a framework of your own, or tests.
 *
 * @example
 * ```ts
 * import { createForm } from "@watchword/form"
 *
 * const shown: Array<string> = []
 * const answer = { stage: "number", sent: null, problem: null, readings: [], country: "DE", location: null }
 * const form = createForm({
 *   action: "/phone",
 *   country: "US",
 *   language: "en",
 *   onChange: ({ country, stage }) => shown.push(`${stage} in ${country}`),
 *   fetch: async () => Response.json(answer)
 * })
 * form.refresh()
 * while (form.form().asking !== null) await new Promise((resolve) => setTimeout(resolve, 1))
 * console.log(shown.at(-1)) // number in DE
 * form.stop()
 * ```
 */
export const createForm = (options: Options): Controller => {
  const { action, fetch = globalThis.fetch.bind(globalThis), now = Date.now, onChange } = options
  let form = begin({ country: options.country, language: options.language, now: now() })
  let loading: Promise<Numbers> | undefined
  let ready: Numbers | undefined
  let isStopped = false
  let asking = new AbortController()

  const happen = (happening: Happening): void => {
    if (isStopped) return
    const before = form
    const after = step({ ...form, now: now() }, happening)
    form = after.form
    if (after.ask !== null) void ask(after.ask, form.request)
    if (isChanged(before, form)) onChange(form)
  }

  const ask = async (body: Ask, request: number): Promise<void> => {
    // The answer to an earlier request changes nothing any more.
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    try {
      const response = await fetch(action, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        credentials: "same-origin",
        signal,
        body: JSON.stringify(body)
      })
      const answer = answerOf(await response.json().catch(() => null))
      happen(
        answer === null ? { type: "failed", request, reason: "unavailable" } : { type: "answered", request, answer }
      )
    } catch {
      happen({ type: "failed", request, reason: "offline" })
    }
  }

  const numbers = async (): Promise<Numbers | undefined> => {
    loading ??= (options.numbers ?? load)()
    // The next call retries a failed load.
    ready ??= await loading.catch(() => (loading = undefined))
    return ready
  }

  const send = (number?: string): void => {
    if (number !== undefined) return happen({ type: "send", number })
    const { country, number: text } = form
    // The handler reads the number too, so the user need not wait for the module to load.
    const read = /\p{Nd}/u.test(text) ? ready?.read(text, country) : undefined
    if (read === undefined) return happen({ type: "send" })
    happen("reason" in read ? { type: "refused", ...read } : { type: "send", number: read.number })
  }

  const timer = setInterval(() => happen({ type: "tick", now: now() }), 500)
  const stop = (): void => {
    isStopped = true
    asking.abort()
    clearInterval(timer)
  }
  return { form: () => form, happen, numbers, send, refresh: () => happen({ type: "refresh" }), stop }
}

/** The clock counts as a change only while the form counts down to the next resend. */
const isChanged = (before: Form, after: Form): boolean =>
  resendIn(before) !== resendIn(after) ||
  Object.entries(after).some(([name, value]) => name !== "now" && Reflect.get(before, name) !== value)

const load = async (): Promise<Numbers> => (await import("./numbers/Numbers.ts")).numbers
