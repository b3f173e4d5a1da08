/**
 * The plan of a verification: its steps, its sends, the rest of its budgets, and its status.
 *
 * A plan is changed by pure functions, from a plan and an event to the plan after it: `Sends` has those about sends and
 * `Ends` those about guesses and ends. A function that changes nothing returns the identical plan.
 *
 * - At most one send is open at a time: the last one, while its outcome is `opening`.
 * - Budgets never refill: a send takes one of `sendsLeft`, a guess one of `checksLeft`.
 * - A step at which the user acts first sends nothing, and takes none of `sendsLeft`.
 * - A final plan has no send after its end, and never another status.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import {
  type Assurance,
  RECEIVE,
  type ReceiveForm,
  type ReceivedResult,
  type Step,
  type StepChannel,
  type VerificationStatus
} from "@watchword/schemas/Verification"

/**
 * What became of one send of a code:
 *
 * | outcome | meaning |
 * |---|---|
 * | `opening` | its gateway is being asked |
 * | `accepted` | its gateway has taken it |
 * | `delivered` | it has reached the phone |
 * | `unknown` | its gateway did not answer: it may have arrived |
 * | `undelivered` | it was refused, or taken and not delivered |
 * | `revoked` | it was taken back before it was read |
 * | `unpaid` | the balance was too small; nothing was sent |
 */
export type AttemptOutcome = "opening" | "accepted" | "delivered" | "unknown" | "undelivered" | "revoked" | "unpaid"

/** One send of the code. Its place in the list is its number, under which it is opened once. */
export interface Attempt {
  /** The place of its step in the workflow. */
  readonly step: number
  readonly channel: StepChannel
  /** The record of the send, whose id is chosen before it is opened; null if none came to be. */
  readonly delivery: DeliveryId | null
  /** The record of the probe that is made for it, whose id is chosen as well; null for channels that are not probed. */
  readonly probe: DeliveryId | null
  /** The number that its call comes from, sealed; null for other channels, and without a pool of callers. */
  readonly caller: string | null
  /** Milliseconds since the epoch, as all times of a plan. */
  readonly at: number
  readonly outcome: AttemptOutcome
  /** Its cost, including its probe. */
  readonly price: MicroEuros
  /** The code of the error that kept it from being sent; null if it may have been. */
  readonly reason: string | null
}

/** An action of the user. */
export interface Heard {
  readonly by: ReceiveForm
  readonly at: number
  readonly result: ReceivedResult
  readonly assurance: Assurance
}

export interface Plan {
  readonly status: VerificationStatus
  readonly reason: string | null
  readonly workflow: ReadonlyArray<Step>
  /** The place of the current step in the workflow. */
  readonly step: number
  /** Every send, in its order. The last one is that of the current step. */
  readonly attempts: ReadonlyArray<Attempt>
  readonly sendsLeft: number
  readonly checksLeft: number
  /**
   * When something is to be done unless something else happens first. A final plan has its sends looked at then; null
   * once their records can say no more than it does.
   */
  readonly dueAt: number | null
  readonly resendAt: number
  readonly expiresAt: number
  readonly approvedAt: number | null
  /** The user's actions at steps that wait for them, oldest first. */
  readonly heard: ReadonlyArray<Heard>
}

/** A plan after an event, and the number of the send that is to be opened now; null for none. */
export interface Change {
  readonly plan: Plan
  readonly open: number | null
}

/** A change of the plan only, without a send. */
export const unopened = (plan: Plan): Change => ({ plan, open: null })

export const isPending = ({ status }: Plan): boolean => status === "pending"

/** Whether a pending plan is past its end: at the very time of its expiry it has expired. */
export const isOver = ({ expiresAt }: Plan, at: number): boolean => at >= expiresAt

/** The channel of the current step. */
export const channelOf = ({ step, workflow }: Pick<Plan, "step" | "workflow">): StepChannel => {
  const current = workflow[step]
  if (current === undefined) throw new RangeError(`the workflow has no step ${step}`)
  return current.channel
}

/** Whether the user acts first at a step. */
export const isReceiving = (plan: Pick<Plan, "step" | "workflow">): boolean => channelOf(plan) === RECEIVE

/** The step that follows by itself, where the workflow and the sends that are left allow one. */
export const nextStep = ({ sendsLeft, step, workflow }: Plan): number | null => {
  const next = step + 1
  if (next >= workflow.length) return null
  return sendsLeft > 0 || isReceiving({ step: next, workflow }) ? next : null
}

/** How soon a send is looked at that is being opened or taken back, and how long looks are apart at most. */
const FIRST_LOOK = 5_000
const LONGEST_LOOK = 3_600_000

/** When the record of a send is looked at next: once the send is twice as old. */
export const nextLook = ({ at: sentAt }: Pick<Attempt, "at">, at: number): number =>
  at + Math.min(Math.max(FIRST_LOOK, at - sentAt), LONGEST_LOOK)

/** When the sends of a final plan are looked at next; null if the outcome of each is known. */
export const lookAfterEnd = ({ attempts }: Pick<Plan, "attempts">, at: number): number | null => {
  const looks = attempts
    .filter(({ outcome }) => outcome === "opening" || outcome === "unknown")
    .map((attempt) => nextLook(attempt, at))
  return looks.length === 0 ? null : Math.min(...looks)
}

/** The step that is taken unless something is heard before, and when; null if none will be. */
export const upcoming = (plan: Plan): { readonly channel: StepChannel; readonly at: number } | null => {
  const step = nextStep(plan)
  const { attempts, dueAt, expiresAt } = plan
  if (!isPending(plan) || step === null || dueAt === null || dueAt >= expiresAt) return null
  return attempts.at(-1)?.outcome === "opening"
    ? null
    : { channel: channelOf({ step, workflow: plan.workflow }), at: dueAt }
}

/** Whether the guard has counted the next send with the start, which has sent nothing yet: its user acts first. */
export const isCountedByStart = ({ attempts }: Pick<Plan, "attempts">): boolean => attempts.length === 0

/** Whether the phone may show a message or a call of a send, or will. */
export const mayArrive = ({ outcome }: Attempt): boolean =>
  outcome === "accepted" || outcome === "delivered" || outcome === "unknown"

/** Whether an error kept a send from being sent. */
export const isUnsent = ({ outcome, reason }: Attempt): boolean =>
  reason !== null && (outcome === "undelivered" || outcome === "unpaid")

/** Whether a call was placed, whose caller is then right like the code. */
export const isCall = ({ caller, delivery, outcome }: Attempt): boolean =>
  caller !== null && delivery !== null && outcome !== "unpaid"

/**
 * The sends that a plan has no use for any more, and that may be taken back: calls that may still ring, messages behind
 * which a later step was taken or a cancellation, and a send whose gateway was asked while the plan ended.
 *
 * @param late the number of that send
 */
export const obsolete = (plan: Plan, late: number | null = null): ReadonlyArray<Attempt> => {
  const { attempts, status } = plan
  const last = attempts.at(-1)
  const isObsolete = (attempt: Attempt, number: number): boolean => {
    switch (status) {
      case "pending":
        if (last === undefined || !mayArrive(last) || attempt === last) return false
        return isCall(attempt) || attempt.channel !== last.channel
      case "canceled":
      case "failed":
        return true
      default:
        return isCall(attempt) || number === late
    }
  }
  return attempts.filter((attempt, number) => mayArrive(attempt) && isObsolete(attempt, number))
}
