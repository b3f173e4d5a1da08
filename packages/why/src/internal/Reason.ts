/**
 * The likely reason why the last code did not arrive.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { guardReasons, isBlocked, receipt, refusal } from "./Sends.ts"
import { isVerification, planOf } from "./Verifications.ts"

/** @param records of one number, the newest last */
export const reasonOf = (records: ReadonlyArray<Delivery>): string => {
  const last = records.findLast((record) => !isPart(record)) ?? records.at(-1)
  if (last === undefined) {
    return "nothing was asked for this number: the request did not come, or was refused for its key, its balance or the number's price"
  }
  return isVerification(last) ? verificationReason(last, records) : sendReason(last)
}

/** Whether another record tells more: the verification of a send, or the send of a probe that it has spent. */
const isPart = ({ details, status }: Delivery): boolean =>
  details["verification"] !== undefined || status.name === "spent"

const verificationReason = (verification: Delivery, records: ReadonlyArray<Delivery>): string => {
  const plan = planOf(verification)
  if (isBlocked(verification)) return blocked(verification)
  if (verification.status.name === "approved") return "the code was entered, and the verification is approved"
  if (plan?.reason === "max_attempts") return "the code was entered wrong until no guess was left"
  if (plan?.test_number === true) return "a test number: its code is fixed, and nothing is sent"
  const attempt = plan?.attempts.at(-1)
  if (attempt === undefined) return `the verification is ${verification.status.name}, and nothing was sent`
  if (attempt.outcome === "unpaid") return "no balance: the account had too little for the send"
  const send = records.findLast(({ id }) => id === attempt.delivery)
  const reason =
    send === undefined
      ? `the last send, by ${attempt.channel}, is ${attempt.outcome}${attempt.reason === null ? "" : ` (${attempt.reason})`}`
      : sendReason(send)
  return verification.status.name === "canceled"
    ? `the client canceled the verification; before that, ${reason}`
    : reason
}

const sendReason = (send: Delivery): string => {
  if (isBlocked(send)) return blocked(send)
  const { channel, phase, status } = send
  const said = receipt(send)
  switch (phase) {
    case "pending":
      return `the gateway of ${channel} has not answered yet`
    case "unknown":
      return `the gateway of ${channel} did not answer: whether the code was sent is not known`
    case "rejected":
      return `not sent by ${channel}: ${refusal(send) ?? said ?? "the gateway refused it"}`
    case "refunded":
      return `not delivered by ${channel}: the number cannot be reached there${said === null ? "" : `, ${said}`}`
    case "accepted":
      if (ARRIVED.has(status.name)) return `the phone showed it: ${channel} says ${status.name}`
      if (status.name === "sent") return `taken by the gateway of ${channel}, and no receipt has come`
      return `the network said ${status.name}${said === null ? "" : `: ${said}`}`
  }
}

const ARRIVED: ReadonlySet<string> = new Set(["delivered", "read", "ringing"])

const blocked = (delivery: Delivery): string => `blocked by ${guardReasons(delivery).join(", ") || "a guard"}`
