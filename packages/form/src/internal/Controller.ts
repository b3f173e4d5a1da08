/**
 * A form that asks its handler: the pure functions, with a clock and `fetch`.
 */
import { type Form, type Happening, begin, resendIn, step } from "./Machine.ts"
import type { Numbers } from "./numbers/Numbers.ts"
import { type Ask, answerOf } from "./Wire.ts"

/** What a controller is made of. */
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

/** A running form. Its functions are what its user does. */
export interface Controller {
  readonly form: () => Form
  /** Any happening; the functions below make those of users. */
  readonly happen: (happening: Happening) => void
  /** Loads what groups digits, before it is needed; gives it once it is there, and undefined where it does not load. */
  readonly numbers: () => Promise<Numbers | undefined>
  /** Sends the number of the field, read first where what reads it is there. */
  readonly send: (number?: string) => void
  /** Asks the handler how its session's verification stands. */
  readonly refresh: () => void
  /** Ends the clock; an answer under way changes nothing any more. */
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

  const happen = (happening: Happening): void => {
    if (isStopped) return
    const before = form
    const after = step({ ...form, now: now() }, happening)
    form = after.form
    if (after.ask !== null) void ask(after.ask, form.request)
    if (isChanged(before, form)) onChange(form)
  }

  const ask = async (body: Ask, request: number): Promise<void> => {
    try {
      const response = await fetch(action, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        credentials: "same-origin",
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
    // One that did not load is asked for again.
    ready ??= await loading.catch(() => (loading = undefined))
    return ready
  }

  const send = (number?: string): void => {
    if (number !== undefined) return happen({ type: "send", number })
    const { country, number: text } = form
    // The handler reads it too: a user does not wait for what would say the same here.
    const read = /\p{Nd}/u.test(text) ? ready?.read(text, country) : undefined
    if (read === undefined) return happen({ type: "send" })
    happen("reason" in read ? { type: "refused", ...read } : { type: "send", number: read.number })
  }

  const timer = setInterval(() => happen({ type: "tick", now: now() }), 500)
  const stop = (): void => {
    isStopped = true
    clearInterval(timer)
  }
  return { form: () => form, happen, numbers, send, refresh: () => happen({ type: "refresh" }), stop }
}

/** The clock alone is a change where it shows: while a user waits to have the code sent again. */
const isChanged = (before: Form, after: Form): boolean =>
  resendIn(before) !== resendIn(after) ||
  Object.entries(after).some(([name, value]) => name !== "now" && Reflect.get(before, name) !== value)

const load = async (): Promise<Numbers> => (await import("./numbers/Numbers.ts")).numbers
