/**
 * The instructions of a step that waits for its user, which an app shows: a link and a text for each form.
 *
 * The forms of a verification, and the numbers of the service that they use, are chosen when it starts, and kept.
 */
import { type BadRequest, type ServiceUnavailable, invalid } from "@watchword/schemas/Errors"
import { E164, countryOf } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import {
  type Presented,
  RECEIVE,
  ReceiveForm,
  type StartVerification,
  type Step
} from "@watchword/schemas/Verification"
import { type Form, type Instruction, Receiving } from "@watchword/send/channel/Receiving"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { renderSVG } from "uqr"
import { FALLBACK, lookup } from "../operator/Template.ts"
import type { AllSettings, TextSettings } from "./AccountSettings.ts"
import type { Codes } from "./Codes.ts"
import type { ExpectedCalls } from "./ExpectedCalls.ts"
import { openForms } from "./plan/Receives.ts"
import { receiveTexts } from "./receiveTexts.ts"
import * as Tokens from "./Tokens.ts"
import { type Receives, type Stored, type Terms, receivesOf } from "./VerificationRecord.ts"

/** The steps of a start whose forms serve its number, and the forms; null for none. */
export interface Chosen {
  readonly steps: ReadonlyArray<Step>
  readonly receives: Receives | null
}

export interface Presenting {
  /**
   * Chooses the forms of a start. Forms that do not serve the number are left out, and so are steps without a form. No
   * form serves a start that shows no user anything, and only forms that reply serve a payment: its approval is a check
   * that repeats amount and payee.
   */
  readonly choose: (
    principal: Principal,
    start: Pick<StartVerification, "bind" | "code" | "purpose" | "to" | "workflow">,
    steps: ReadonlyArray<Step>
  ) => Effect.Effect<Chosen, BadRequest | StoreError>

  /** The refs under which tokens are brought to a verification; none for one without forms. */
  readonly refs: (
    id: Stored["delivery"]["id"],
    terms: Terms
  ) => Effect.Effect<ReadonlyArray<string>, ServiceUnavailable>

  /** The same with their tokens, and without QR codes. */
  readonly instructions: (principal: Principal, stored: Stored) => Effect.Effect<ReadonlyArray<Instruction>, StoreError>

  /**
   * The instructions for the user now; empty while no user is waited for, or once the secret of its tokens is gone.
   *
   * @param qr whether with QR codes
   */
  readonly present: (
    principal: Principal,
    stored: Stored,
    qr: boolean
  ) => Effect.Effect<ReadonlyArray<Presented>, StoreError>
}

export const make = Effect.fnUntraced(function* (parts: {
  readonly codes: Codes
  readonly settings: AllSettings
  readonly calls: ExpectedCalls
}): Effect.fn.Return<Presenting> {
  const { calls, codes, settings } = parts
  const receiving = yield* Receiving

  /** The number of a form for a user; undefined if the form does not serve the user. */
  const numberFor = Effect.fnUntraced(function* (
    principal: Principal,
    start: Pick<StartVerification, "purpose" | "to">,
    form: Form
  ): Effect.fn.Return<E164 | null | undefined, StoreError> {
    const { mode } = principal
    const all = form.numbers(mode)
    if (all === null) return null
    const country = countryOf(start.to)
    const reached = form.isNational && mode === "live" ? all.filter((number) => countryOf(number) === country) : all
    return form.isExclusive && reached.length > 0 ? yield* calls.choose(principal, start, reached) : reached[0]
  })

  const choose: Presenting["choose"] = Effect.fnUntraced(function* (principal, start, steps) {
    if (!steps.some(({ channel }) => channel === RECEIVE)) return { steps, receives: null }
    const wanted = new Set(steps.flatMap(({ by = [] }) => by))
    const receives: { [By in ReceiveForm]?: E164 | null } = {}
    const isPayment = start.bind !== undefined
    const all = showsNothing(principal, start) ? [] : yield* receiving.forms
    for (const form of all.filter(({ by, isWritten }) => wanted.has(by) && (isWritten || !isPayment))) {
      const number = yield* numberFor(principal, start, form)
      if (number !== undefined) receives[form.by] = number
    }
    const left = steps.flatMap((step): ReadonlyArray<Step> => {
      if (step.channel !== RECEIVE) return [step]
      if (isPayment && step.reply === false) return []
      const by = step.by?.filter((form) => Object.hasOwn(receives, form)) ?? []
      return by.length === 0 ? [] : [{ ...step, by }]
    })
    if (left.length > 0) return { steps: left, receives: Object.keys(receives).length === 0 ? null : receives }
    const which = isPayment ? "that replies, as bind needs" : "by which the number's user could act first"
    return yield* invalid([{ path: "workflow", message: `has no form ${which}` }])
  })

  const refs: Presenting["refs"] = (id, terms) =>
    Effect.forEach(
      formsOf(terms).filter((by) => by !== "call"),
      (by) => Effect.map(codes.tokenOf(id, terms, by), (token) => Tokens.refOf(by, token))
    )

  const instructed = Effect.fnUntraced(function* (principal: Principal, stored: Stored) {
    const { delivery, plan, terms } = stored
    const open = openForms(plan, yield* Clock.currentTimeMillis)
    if (open.length === 0 || !isE164(delivery.to)) return []
    const forms = yield* receiving.forms
    const receives = receivesOf(terms)
    const texts = yield* (yield* settings(principal.account.id)).texts(principal.account.name)
    const expires_at = new Date(plan.dueAt ?? plan.expiresAt).toISOString()
    const all: Array<Instruction> = []
    for (const by of open) {
      const form = forms.find((each) => each.by === by)
      const number = receives[by]
      if (form === undefined || number === undefined) continue
      const token = yield* codes.tokenOf(delivery.id, terms, by)
      const text = sentence(texts, terms, token)
      const uri = yield* form.uri({ mode: delivery.mode, to: delivery.to, number, token, text })
      all.push({ shown: { by, number, uri, text: form.isWritten ? text : null, expires_at }, number, token })
    }
    return all
  })

  const instructions: Presenting["instructions"] = (principal, stored) =>
    stored.terms.receives === undefined
      ? Effect.succeed([])
      : Effect.catchTag(instructed(principal, stored), "SERVICE_UNAVAILABLE", () => Effect.succeed([]))

  const present: Presenting["present"] = (principal, stored, qr) =>
    Effect.map(instructions(principal, stored), (all) =>
      all.map(({ shown }) => (qr ? { ...shown, qr: renderSVG(shown.uri) } : shown))
    )

  return { choose, refs, instructions, present }
})

/**
 * Whether the steps of an account's workflow are for an app that cannot show them: an app that speaks another service's
 * interface, which has no `present`, or an identity server, which waits for its own code only.
 */
const showsNothing = ({ door }: Principal, { code, workflow }: Pick<StartVerification, "code" | "workflow">): boolean =>
  door !== undefined || (code !== undefined && typeof workflow !== "object")

const isE164 = Schema.is(E164)

const formsOf = (terms: Terms): ReadonlyArray<ReceiveForm> =>
  terms.receives === undefined ? [] : Object.keys(receivesOf(terms)).filter(isForm)

const isForm = Schema.is(ReceiveForm)

/** The sentence to send, in the user's language, or else in the account's, or else in English. */
const sentence = ({ brand, locale }: TextSettings, { locale: asked }: Terms, token: string): string => {
  const locales = [...(asked === null ? [] : lookup(asked)), ...lookup(locale), FALLBACK]
  const found = locales.map((each) => receiveTexts[each]).find((text) => text !== undefined) ?? ""
  return found.replaceAll("{{brand}}", () => brand).replaceAll("{{code}}", token)
}
