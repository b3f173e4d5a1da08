/**
 * The step of the store that writes a verification, with the claims that keep others like it away.
 */
import { zero } from "@watchword/schemas/Money"
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Account"
import type { StartVerification } from "@watchword/schemas/Verification"
import type { Details } from "@watchword/store/Delivery"
import type { Claim, Open } from "@watchword/store/Store"
import type { Plan } from "./plan/Plan.ts"
import { PRODUCT, type Terms, begun, statusOf } from "./VerificationRecord.ts"

/** A verification as it starts. */
export interface Beginning {
  readonly id: DeliveryId
  readonly principal: Principal
  readonly to: E164
  readonly terms: Terms
  /** Details of the record in addition to its terms and its plan: guard reasons. */
  readonly details: Details
  readonly plan: Plan
  /** The refs under which it is found for an action of its user. */
  readonly refs: ReadonlyArray<string>
  readonly claims: ReadonlyArray<Claim>
  readonly process: ProcessId
  readonly watch: Pick<Open, "watch">
  readonly at: number
}

/** Opens and closes in one step: no gateway takes a verification itself. */
export const opening = ({
  at,
  claims,
  details,
  id,
  plan,
  principal,
  process,
  refs,
  terms,
  to,
  watch
}: Beginning): Open => {
  const { account, mode } = principal
  const status = statusOf(plan)
  return {
    delivery: {
      id,
      account: account.id,
      mode,
      channel: PRODUCT,
      to,
      from: null,
      status,
      price: zero,
      parts: 1,
      reference: null,
      details: { ...begun(terms, plan), ...details },
      dueAt: plan.dueAt
    },
    claims,
    owner: process,
    close: {
      outcome: "accepted",
      status,
      // A check by the number is about the last verification that was sent.
      refs: plan.status === "blocked" ? [] : [refOf(principal, terms.purpose, to), ...refs],
      details: {}
    },
    ...watch,
    at
  }
}

/** The ref under which the last verification of a number and a purpose is found. */
export const refOf = ({ account, mode }: Principal, purpose: string, to: string): string =>
  `${account.id} ${mode} ${purpose} ${to}`

type Subject = Pick<StartVerification, "purpose" | "to">

/** The claim of the one pending verification of a number and a purpose. */
export const pendingClaim = (subject: Subject, { expiresAt }: Plan): Claim => ({
  key: pendingKey(subject),
  fingerprint: "",
  heldUntil: "end",
  expiresAt
})

export const isPendingClaim = ({ key }: Claim, subject: Subject): boolean => key === pendingKey(subject)

const pendingKey = ({ purpose, to }: Subject): string => `verifying:${purpose}:${to}`

/** Everything that a client asked for, in a fixed order. */
export const bodyOf = (body: StartVerification): string =>
  JSON.stringify(Object.entries(body).toSorted(([one], [other]) => (one < other ? -1 : 1)))
