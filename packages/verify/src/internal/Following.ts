/**
 * How a verification follows the changes of its sends within the steps that make these: the gateway's answer and the
 * receipt of a send change its plan in the very transaction that records them.
 *
 * It follows only where nothing else is to be done. A change that ends the verification, opens another send, or depends
 * on another record is left to the process, which makes it in a step of its own.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Follow } from "@watchword/store/Store"
import { attemptOrigin } from "./AttemptOrigin.ts"
import { isPending } from "./plan/Plan.ts"
import type { PlanRunner } from "./PlanRunner.ts"
import { reportOf } from "./Plans.ts"
import { lossOf } from "./Receipts.ts"
import * as Record from "./VerificationRecord.ts"

export const make =
  ({ seen }: Pick<PlanRunner, "seen">): Follow =>
  (send, whole, at) => {
    const origin = attemptOrigin(send.details)
    if (origin === null || whole.channel !== Record.PRODUCT || !isPlain(send)) return null
    const stored = Record.read(whole)
    const { plan, requests } = stored
    const attempt = plan.attempts[origin.attempt]
    // The price of a send that was looked up before is in another record, too.
    if (attempt === undefined || attempt.delivery !== send.id || attempt.probe !== null) return null
    const change = seen(plan, origin.attempt, { record: send, price: lossOf(send) }, at)
    if (change.plan === plan || change.open !== null || (isPending(plan) && !isPending(change.plan))) return null
    return reportOf(stored, { plan: change.plan, requests }, at)
  }

/** Whether the record tells all about its send. The refusal of a gateway has an error, which says more. */
const isPlain = ({ phase }: Delivery): boolean => phase !== "rejected" && phase !== "pending"
