/**
 * The form as a state machine: `step` maps a form and a happening to the next form and to the request for the handler.
 *
 * - One request is in flight at a time; a request of the user replaces a look at the state. An answer to any other
 *   request changes nothing.
 * - Only an answer of the handler approves a number.
 * - A complete code is checked at once, and each code only once. After a failure the button checks it again.
 */
import { readCode } from "./Code.ts"
import type { Answer, Ask, Problem, Readable, Reason, Sent, Stage } from "./Wire.ts"

/** A verification as the form knows it. Times are milliseconds of the form's own clock. */
export interface Code extends Omit<Sent, "resend_in" | "next_in" | "expires_in"> {
  /** The digits entered so far, 0 to 9. */
  readonly entered: string
  /** The last code that was checked; null before one. */
  readonly checked: string | null
  readonly resendAt: number
  readonly nextAt: number | null
  readonly expiresAt: number
  /** When the form looks again whether its user has acted. */
  readonly lookAt: number
}

/** The form at one moment. */
export interface Form {
  readonly stage: Stage
  /** The text in the number field, and the country next to it. */
  readonly number: string
  readonly country: string
  /** Whether the user has chosen the country, so that no answer changes it. */
  readonly isCountryChosen: boolean
  readonly language: string
  /** The numbers to choose from, where the text can be read as several. */
  readonly readings: ReadonlyArray<Readable>
  readonly code: Code | null
  readonly problem: Problem | null
  /** The request in flight; null if there is no such request. */
  readonly asking: Ask["action"] | null
  /** The number of the last request. */
  readonly request: number
  readonly location: string | null
  /** The time of the form's clock, in milliseconds since the epoch. */
  readonly now: number
}

/** A happening: an action of the user, an answer, or a tick of the clock. */
export type Happening =
  | { readonly type: "number"; readonly text: string }
  | { readonly type: "country"; readonly country: string }
  | { readonly type: "language"; readonly language: string }
  /** The user sends the number in the field, or chooses one of the readings. */
  | { readonly type: "send"; readonly number?: string }
  | { readonly type: "refused"; readonly reason: Reason; readonly readings: ReadonlyArray<Readable> }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "confirm" | "resend" | "other" | "change" | "refresh" }
  | { readonly type: "answered"; readonly request: number; readonly answer: Answer }
  | { readonly type: "failed"; readonly request: number; readonly reason: "offline" | "unavailable" }
  | { readonly type: "tick"; readonly now: number }

/** A form after a happening, and the request to send to the handler; null if there is no request. */
export interface Step {
  readonly form: Form
  readonly ask: Ask | null
}

/** A form before anything has happened. */
export const begin = (given: Pick<Form, "country" | "language" | "now">): Form => ({
  stage: "number",
  number: "",
  isCountryChosen: false,
  readings: [],
  code: null,
  problem: null,
  asking: null,
  request: 0,
  location: null,
  ...given
})

/** The form after a happening. */
export const step = (form: Form, happening: Happening): Step => {
  switch (happening.type) {
    case "number":
      return still({ ...form, number: happening.text, readings: [], problem: null })
    case "country":
      return still({ ...form, country: happening.country, isCountryChosen: true, readings: [], problem: null })
    case "language":
      return still({ ...form, language: happening.language })
    case "send":
      return send(form, happening.number ?? form.number)
    case "refused":
      return still({ ...form, readings: happening.readings, problem: problemOf(happening.reason) })
    case "code":
      return enter(form, happening.text)
    case "confirm":
      return confirm(form)
    case "resend":
    case "other":
      return form.code === null ? still(form) : asked(form, { action: happening.type, id: form.code.id })
    case "change":
      return still({ ...leaving(form), stage: "number", code: null, readings: [] })
    case "refresh":
      return asked(form, { action: "state", id: form.code?.id ?? null, wait: false })
    case "answered":
      return still(happening.request === form.request && form.asking !== null ? answered(form, happening.answer) : form)
    case "failed":
      return still(happening.request === form.request && form.asking !== null ? failed(form, happening.reason) : form)
    case "tick":
      return tick({ ...form, now: happening.now })
  }
}

/** Seconds until the code may be sent again; 0 where it may be now. */
export const resendIn = ({ code, now }: Form): number => secondsUntil(code?.resendAt ?? now, now)

const still = (form: Form): Step => ({ form, ask: null })

const asked = (form: Form, ask: Ask): Step =>
  form.asking === null || (form.asking === "state" && ask.action !== "state")
    ? {
        form: {
          ...form,
          asking: ask.action,
          request: form.request + 1,
          problem: ask.action === "state" ? form.problem : null
        },
        ask
      }
    : still(form)

/** Drops the request in flight: the form ignores its answer. */
const leaving = (form: Form): Form => ({ ...form, asking: null, request: form.request + 1, problem: null })

const problemOf = (reason: Reason): Problem => ({ reason, wait: null })

const send = (form: Form, number: string): Step => {
  if (form.stage !== "number") return still(form)
  if (!/\p{Nd}/u.test(number)) return still({ ...form, problem: problemOf("number_missing") })
  const { country, language } = form
  return asked({ ...form, readings: [] }, { action: "start", to: number, country, language })
}

const enter = (form: Form, text: string): Step => {
  if (form.stage !== "code" || form.code === null) return still(form)
  const { code: entered, hasLetters } = readCode(text, form.code.code_length)
  const problem = hasLetters ? problemOf("code_letters") : entered === form.code.entered ? form.problem : null
  const after = { ...form, code: { ...form.code, entered }, problem }
  const isNew = entered.length === form.code.code_length && entered !== form.code.checked
  return isNew && problem === null ? confirm(after) : still(after)
}

const confirm = (form: Form): Step => {
  const { code, stage } = form
  if (stage !== "code" || code === null) return still(form)
  // A user may press Enter after the last digit, when the answer to a wrong code has already arrived.
  if (code.entered === "" && form.problem !== null) return still(form)
  if (code.entered.length < code.code_length) return still({ ...form, problem: problemOf("code_incomplete") })
  const step = asked(form, { action: "check", id: code.id, code: code.entered })
  return step.ask === null ? step : { ...step, form: { ...step.form, code: { ...code, checked: code.entered } } }
}

const answered = (form: Form, answer: Answer): Form => {
  const { country, location, problem, readings, sent, stage } = answer
  if (form.asking === "state" && problem?.reason === "unavailable") return failed(form, problem.reason)
  const after = { ...form, asking: null, problem, location: location ?? form.location }
  const places = country === null || form.isCountryChosen ? {} : { country }
  if (sent === null) return { ...after, ...places, stage, code: stage === "number" ? null : form.code, readings }
  return { ...after, stage, readings: [], code: codeOf(sent, form, problem), number: form.number || sent.to.written }
}

const codeOf = (sent: Sent, { code, now }: Form, problem: Problem | null): Code => {
  const { expires_in, next_in, resend_in, ...rest } = sent
  const isSame = code?.id === sent.id
  return {
    ...rest,
    // After a delivery receipt the handler may no longer know the next step, but the form still does.
    other: isSame && code.step === sent.step && sent.other === "other" ? code.other : sent.other,
    entered: isSame && problem?.reason !== "wrong_code" ? code.entered : "",
    checked: isSame ? code.checked : null,
    resendAt: now + resend_in * 1000,
    nextAt: next_in === null ? null : now + next_in * 1000,
    expiresAt: now + expires_in * 1000,
    lookAt: Math.max(now, (isSame ? code.lookAt : now) + LOOK_EVERY)
  }
}

/** In milliseconds. An answer that was waited for comes later than that, and the next request follows it at once. */
const LOOK_EVERY = 2_000

/** A failed refresh changes nothing: the next refresh retries. */
const failed = (form: Form, reason: Reason): Form => ({
  ...form,
  asking: null,
  problem: form.asking === "state" ? form.problem : problemOf(reason),
  code: form.code === null ? null : { ...form.code, lookAt: form.now + LOOK_EVERY }
})

const tick = (form: Form): Step => {
  const { code, now, stage } = form
  if (stage !== "code" || code === null || (form.asking !== null && form.asking !== "state")) return still(form)
  if (now >= code.expiresAt) return still({ ...form, stage: "ended", problem: problemOf("expired") })
  if (form.asking === "state") return still(form)
  // The service has taken the next step by now. The answer names its channel.
  const isNext = code.nextAt !== null && now >= code.nextAt + SLACK
  const after = isNext ? { ...code, nextAt: null } : code
  if (code.ways.length > 0 && now >= code.lookAt) {
    return asked({ ...form, code: { ...after, lookAt: now } }, { action: "state", id: code.id, wait: !isNext })
  }
  return isNext ? asked({ ...form, code: after }, { action: "state", id: code.id, wait: false }) : still(form)
}

/** The service takes a step slightly after its due time. */
const SLACK = 1_500

const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1000))
