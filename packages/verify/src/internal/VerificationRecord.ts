/**
 * A verification as a record of the store: its terms and its plan are details of a delivery that costs nothing and that
 * no gateway takes.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import * as Wire from "@watchword/schemas/Verification"
import type { Delivery, Details, Status } from "@watchword/store/Delivery"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Plan, channelOf, isPending } from "./plan/Plan.ts"
import { Kept } from "./Repeats.ts"

/** The product that verifications are recorded as. */
export const PRODUCT = "verify"

/** The fields of a start that later steps and answers need. */
const Terms = Schema.Struct({
  purpose: Schema.String,
  country: Schema.NullOr(Schema.String),
  code_length: Schema.Int,
  /** The id of the secret that the code is derived from. */
  secret: Schema.String,
  /** The client's own code, sealed; null if the service makes the code, and once the verification has ended. */
  sealed: Schema.NullOr(Schema.String),
  /** Whether the number is a test number, which no gateway is asked for. */
  test_number: Schema.Boolean,
  locale: Schema.NullOr(Schema.String),
  template: Schema.NullOr(Schema.String),
  variables: Schema.fromJsonString(Wire.Variables),
  app_hash: Schema.NullOr(Schema.String),
  web_origin: Schema.NullOr(Schema.String),
  client_ip: Schema.NullOr(Schema.String),
  client_ref: Schema.NullOr(Schema.String),
  trusted: Schema.Boolean,
  max_sends: Schema.Int,
  metadata: Schema.fromJsonString(Wire.Metadata)
})
export type Terms = typeof Terms.Type

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
    metadata: body.metadata ?? {}
  }) satisfies Partial<Terms>

const AttemptOutcome = Schema.Literals([
  "opening",
  "accepted",
  "delivered",
  "unknown",
  "undelivered",
  "revoked",
  "unpaid"
])

const Attempt = Schema.Struct({
  step: Schema.Int,
  channel: Wire.StepChannel,
  delivery: Schema.NullOr(DeliveryId),
  probe: Schema.NullOr(DeliveryId).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  caller: Schema.NullOr(Schema.String),
  at: Schema.Int,
  outcome: AttemptOutcome,
  price: MicroEuros,
  reason: Schema.NullOr(Schema.String)
})

/** An answer to a guess that came with an `Idempotency-Key`, which its repeat is answered with. */
const Answer = Schema.Struct({
  ...Kept.fields,
  valid: Schema.Boolean,
  status: Wire.VerificationStatus,
  checks_left: Schema.Int
})
export type Answer = typeof Answer.Type

const State = Schema.Struct({
  /** Rises with each change: a writer that has seen another one decides again. */
  version: Schema.Int,
  reason: Schema.NullOr(Schema.String),
  workflow: Schema.fromJsonString(Wire.Steps),
  /** The number of the current step, from 1 on, and its channel. */
  step: Schema.Int,
  channel: Wire.StepChannel,
  attempts: Schema.fromJsonString(Schema.Array(Attempt)),
  answers: Schema.fromJsonString(Schema.Array(Answer)),
  /** Starts that came with a key and sent the verification again. */
  resends: Schema.fromJsonString(Schema.Array(Kept)),
  sends_left: Schema.Int,
  checks_left: Schema.Int,
  resend_at: Schema.Int,
  expires_at: Schema.Int,
  approved_at: Schema.NullOr(Schema.Int)
})

const decode = Schema.decodeUnknownSync(Schema.Struct({ ...Terms.fields, ...State.fields }))

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

export const read = (delivery: Delivery): Stored => {
  const { name } = delivery.status
  if (!isStatus(name)) throw new Error(`a verification has the status ${name}`)
  const details = decode(delivery.details)
  return {
    delivery,
    version: details.version,
    terms: details,
    requests: { answers: details.answers, resends: details.resends },
    plan: {
      status: name,
      reason: details.reason,
      workflow: details.workflow,
      step: details.step - 1,
      attempts: details.attempts,
      sendsLeft: details.sends_left,
      checksLeft: details.checks_left,
      dueAt: delivery.dueAt,
      resendAt: details.resend_at,
      expiresAt: details.expires_at,
      approvedAt: details.approved_at
    }
  }
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
  ...(isPending(plan) ? {} : { sealed: null })
})

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
