/**
 * The delivery of a probe: what its gateway's answer makes of it, and how it is answered.
 */
import type { SendAbility } from "@watchword/schemas/Chatgw"
import { type MicroEuros, toEuros } from "@watchword/schemas/Money"
import { type Outcome, accepted, refunded, rejected, unknown } from "@watchword/send/Outcome"
import type { Delivery } from "@watchword/store/Delivery"
import type { Probe } from "../ChatgwGateway.ts"
import { probeStatuses } from "./ChatgwStatus.ts"

/** @param refs find the probe again */
export const outcomeOf =
  (refs: ReadonlyArray<string>) =>
  (probe: Probe): Outcome => {
    switch (probe._tag) {
      case "Reachable": {
        const { requestId } = probe
        return accepted([requestId, ...refs], { request_id: requestId })
      }
      case "Unreachable":
        return refunded(refs)
      case "Rejected":
        return rejected(probe.failure)
      case "Unknown":
        return unknown(probe.failure, refs)
    }
  }

/** Whether the number has an account. A probe that was spent since has found one. */
export const isReachable = ({ status }: Delivery): boolean => status.name !== probeStatuses.failed.name

/** The gateway's id of a probe; the delivery's where the gateway gave none. */
export const requestIdOf = ({ details, id }: Delivery): string =>
  typeof details["request_id"] === "string" ? details["request_id"] : id

/** @param available the account's balance after the probe */
export const toSendAbility = (probe: Delivery, available: MicroEuros): SendAbility => ({
  request_id: requestIdOf(probe),
  phone_number: probe.to,
  request_cost: toEuros(probe.price),
  is_refunded: !isReachable(probe),
  remaining_balance: toEuros(available),
  delivery_status: { status: isReachable(probe) ? "sent" : "failed", updated_at: Math.floor(probe.createdAt / 1000) }
})
