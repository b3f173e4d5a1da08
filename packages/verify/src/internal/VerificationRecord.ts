/**
 * A verification as a record of the store: its terms and its plan are details of a delivery that costs nothing and that
 * no gateway takes.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import * as Wire from "@watchword/schemas/Verification"
import type { Delivery, Details, Status } from "@watchword/store/Delivery"
import * as Schema from "effect/Schema"
import { type Attempt, type Heard, type Plan, channelOf, isPending } from "./plan/Plan.ts"
import { proof } from "./plan/Receives.ts"
import type { Kept } from "./Repeats.ts"

/** The product that verifications are recorded as. */
export const PRODUCT = "verify"

/** The fields of a start that later steps and answers need. */
export interface Terms {
  readonly purpose: string
  readonly country: string | null
  readonly code_length: number
  /** The id of the secret that the code is derived from. */
  readonly secret: string
  /** The client's own code, sealed; null if the service makes the code, and once the verification has ended. */
  readonly sealed: string | null
  /** Whether the number is a test number, which no gateway is asked for. */
  readonly test_number: boolean
  readonly locale: string | null
  readonly template: string | null
  readonly variables: Wire.Variables
  readonly app_hash: string | null
  readonly web_origin: string | null
  readonly client_ip: string | null
  readonly client_ref: string | null
  readonly trusted: boolean
  readonly max_sends: number
  readonly metadata: Wire.Metadata
  /** The door that it was started by; left out for the service's own interface. */
  readonly door?: string
  /** The client's own text, with `{{code}}` in it; left out for a template. */
  readonly own_text?: string
  /** The payment that an approval is for; both left out for none. */
  readonly bind_amount?: string
  readonly bind_payee?: string
  /** Codes of the values that guards count by, as JSON; left out for none. */
  readonly limit_keys?: string
  /** The forms by which the user may act first, with the number of each, as JSON; left out for none. */
  readonly receives?: string
  /** How sure it must be that the number is the user's; left out for any. */
  readonly least_assurance?: string
}

/** The terms that few starts have: a record without them has no details of them. */
const RARE = ["bind_amount", "bind_payee", "door", "least_assurance", "limit_keys", "own_text", "receives"] as const

/** The forms by which the user may act first, with the number of the service for each that has one. */
export type Receives = { readonly [By in Wire.ReceiveForm]?: E164 | null }

/** The forms of a verification. */
export const receivesOf = ({ receives }: Pick<Terms, "receives">): Receives =>
  receives === undefined ? {} : JSON.parse(receives)

/** The payment that an approval is for; null for none. */
export const bindOf = ({ bind_amount: amount, bind_payee: payee }: Terms): Wire.Bind | null =>
  amount === undefined || payee === undefined ? null : { amount, payee }

/** Whether a request names the same payment as a verification, or none like it. */
export const isBoundTo = (terms: Terms, bind: Wire.Bind | undefined): boolean => {
  const bound = bindOf(terms)
  if (bound === null || bind === undefined) return bound === null && bind === undefined
  return bound.amount === bind.amount && bound.payee === bind.payee
}

/** The terms that a start asks for as they are kept. */
export const askedFor = (body: Wire.StartVerification) =>
  ({
    purpose: body.purpose,
    locale: body.locale ?? null,
    template: body.template ?? null,
    variables: body.variables ?? {},
    app_hash: body.app_hash ?? null,
    web_origin: body.web_origin ?? null,
    client_ip: body.client_ip ?? null,
    client_ref: body.client_ref ?? null,
    trusted: body.trusted ?? false,
    max_sends: body.max_sends,
    metadata: body.metadata ?? {},
    ...(body.text === undefined ? {} : { own_text: body.text }),
    ...(body.least_assurance === undefined ? {} : { least_assurance: body.least_assurance }),
    ...(body.bind === undefined ? {} : { bind_amount: body.bind.amount, bind_payee: body.bind.payee })
  }) satisfies Partial<Terms>

/** An answer to a guess that came with an `Idempotency-Key`, which its repeat is answered with. */
export interface Answer extends Kept {
  readonly valid: boolean
  readonly status: Wire.VerificationStatus
  readonly checks_left: number
  readonly reason?: Wire.VerificationChecked["reason"]
}

/** A verification as it was read: the version names the state that a change rests on. */
export interface Stored {
  readonly delivery: Delivery
  readonly version: number
  readonly terms: Terms
  readonly plan: Plan
  readonly requests: Requests
}

/** The requests whose repeats are known. */
export interface Requests {
  readonly answers: ReadonlyArray<Answer>
  readonly resends: ReadonlyArray<Kept>
}

const isStatus = Schema.is(Wire.VerificationStatus)

/** Reads a record that the service has written. Each change of a plan begins here, so only types are checked. */
export const read = (delivery: Delivery): Stored => {
  const { details } = delivery
  const { name } = delivery.status
  if (!isStatus(name)) throw new Error(`a verification has the status ${name}`)
  return {
    delivery,
    version: number(details, "version"),
    terms: termsOf(details),
    requests: { answers: list<Answer>(details, "answers"), resends: list<Kept>(details, "resends") },
    plan: {
      status: name,
      reason: textOrNull(details, "reason"),
      workflow: list<Wire.Step>(details, "workflow"),
      step: number(details, "step") - 1,
      attempts: list<Attempt>(details, "attempts"),
      sendsLeft: number(details, "sends_left"),
      checksLeft: number(details, "checks_left"),
      dueAt: delivery.dueAt,
      resendAt: number(details, "resend_at"),
      expiresAt: number(details, "expires_at"),
      approvedAt: details["approved_at"] === null ? null : number(details, "approved_at"),
      heard: details["heard"] === undefined ? [] : list<Heard>(details, "heard")
    }
  }
}

const termsOf = (details: Details): Terms => ({
  purpose: text(details, "purpose"),
  country: textOrNull(details, "country"),
  code_length: number(details, "code_length"),
  secret: text(details, "secret"),
  sealed: textOrNull(details, "sealed"),
  test_number: flag(details, "test_number"),
  locale: textOrNull(details, "locale"),
  template: textOrNull(details, "template"),
  variables: JSON.parse(text(details, "variables")),
  app_hash: textOrNull(details, "app_hash"),
  web_origin: textOrNull(details, "web_origin"),
  client_ip: textOrNull(details, "client_ip"),
  client_ref: textOrNull(details, "client_ref"),
  trusted: flag(details, "trusted"),
  max_sends: number(details, "max_sends"),
  metadata: JSON.parse(text(details, "metadata")),
  ...rareOf(details)
})

const rareOf = (details: Details): Pick<Terms, (typeof RARE)[number]> => {
  const rare: { [Name in (typeof RARE)[number]]?: string } = {}
  for (const name of RARE) {
    const value = details[name]
    if (typeof value === "string") rare[name] = value
  }
  return rare
}

const text = (details: Details, name: string): string => {
  const value = details[name]
  return typeof value === "string" ? value : wrong(name)
}

const textOrNull = (details: Details, name: string): string | null =>
  details[name] === null ? null : text(details, name)

const number = (details: Details, name: string): number => {
  const value = details[name]
  return typeof value === "number" ? value : wrong(name)
}

const flag = (details: Details, name: string): boolean => {
  const value = details[name]
  return typeof value === "boolean" ? value : wrong(name)
}

const list = <Item>(details: Details, name: string): ReadonlyArray<Item> => {
  const value: ReadonlyArray<Item> = JSON.parse(text(details, name))
  return Array.isArray(value) ? value : wrong(name)
}

const wrong = (name: string): never => {
  throw new Error(`a verification has no valid detail "${name}"`)
}

const none: Requests = { answers: [], resends: [] }

/** A verification whose start was written. */
export const started = (delivery: Delivery, terms: Terms, plan: Plan): Stored => ({
  delivery,
  version: 0,
  terms,
  plan,
  requests: none
})

/** A verification after a change that was written. */
export const changed = ({ terms, version }: Stored, delivery: Delivery, plan: Plan, requests: Requests): Stored => ({
  delivery,
  version: version + 1,
  terms: isPending(plan) || terms.sealed === null ? terms : { ...terms, sealed: null },
  plan,
  requests
})

/** The details of a plan, to be written over the previous version's. The end has the client's code forgotten. */
export const written = (plan: Plan, { answers, resends }: Requests, version: number): Details => ({
  version,
  reason: plan.reason,
  workflow: JSON.stringify(plan.workflow),
  step: plan.step + 1,
  channel: channelOf(plan),
  attempts: JSON.stringify(plan.attempts),
  answers: JSON.stringify(answers),
  resends: JSON.stringify(resends),
  sends_left: plan.sendsLeft,
  checks_left: plan.checksLeft,
  resend_at: plan.resendAt,
  expires_at: plan.expiresAt,
  approved_at: plan.approvedAt,
  ...heardOf(plan),
  ...(isPending(plan) ? {} : { sealed: null })
})

/** The user's actions, and the proof of the number for lists; no details for a plan without actions. */
const heardOf = (plan: Plan): Details => {
  if (plan.heard.length === 0) return {}
  const proved = proof(plan)
  return {
    heard: JSON.stringify(plan.heard),
    ...(proved === null ? {} : { by: proved.by, assurance: proved.assurance })
  }
}

/** The details of a verification that starts. */
export const begun = (terms: Terms, plan: Plan): Details => ({
  ...terms,
  variables: JSON.stringify(terms.variables),
  metadata: JSON.stringify(terms.metadata),
  ...written(plan, none, 0)
})

const PENDING = 1
const FINAL = 2

/** The status of a plan as the store ranks it: the first final one stays. */
export const statusOf = ({ status }: Plan): Status => ({ name: status, rank: status === "pending" ? PENDING : FINAL })

export const failed: Status = { name: "failed", rank: FINAL }
