/**
 * The likely reason why the last code did not arrive, and what to do about it.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { type Held, codesOf, wordsOf } from "./Refusals.ts"
import { type Likely, type remedies, likely as explained } from "./Remedies.ts"
import { isBlocked, refusal } from "./Sends.ts"
import { isVerification, planOf } from "./Verifications.ts"
import { inWords } from "./UserActions.ts"
import type { Words } from "./Words.ts"

/** The record that the last request for a number left; undefined without one. */
export const lastOf = (records: ReadonlyArray<Delivery>): Delivery | undefined =>
  records.findLast((record) => !isPart(record)) ?? records.at(-1)

/**
 * @param records of one number, the newest last
 * @param held the current block of the number
 */
export const reasonOf = (records: ReadonlyArray<Delivery>, words: Words, held: Held): Likely => {
  const last = lastOf(records)
  if (last === undefined) {
    return explained(
      "nothing",
      "no request for this number was recorded: none arrived, or it was refused because of its key, the balance or the number's price",
      null
    )
  }
  const about = { words, held, likely: ofAccount(last.account) }
  return isVerification(last) ? ofVerification(last, records, about) : ofSend(last, about)
}

interface About {
  readonly words: Words
  readonly held: Held
  readonly likely: (kind: keyof typeof remedies, reason: string, inConsole?: string) => Likely
}

const ofAccount =
  (account: string): About["likely"] =>
  (kind, reason, inConsole) =>
    explained(kind, reason, account, inConsole)

/** Whether another record tells more: the verification of a send, or the send of a probe that it has spent. */
const isPart = ({ details, status }: Delivery): boolean =>
  details["verification"] !== undefined || status.name === "spent"

const ofVerification = (verification: Delivery, records: ReadonlyArray<Delivery>, about: About): Likely => {
  const { likely } = about
  const plan = planOf(verification)
  const { name } = verification.status
  if (isBlocked(verification)) return blocked(verification, about)
  const action = plan?.heard?.at(-1)
  if (name === "approved") {
    const proved =
      action?.result === "approved" ? inWords(action) : "the code was entered, and the verification is approved"
    return likely("approved", proved)
  }
  if (plan?.reason === "max_checks") return likely("wrong", "wrong codes were entered until no checks were left")
  if (plan?.test_number === true) return likely("test", "a test number: its code is fixed, and nothing is sent")
  const attempt = plan?.attempts.at(-1)
  if (attempt === undefined && action !== undefined) return likely("acted", inWords(action))
  if (attempt === undefined && (plan?.receives ?? null) !== null) {
    return likely("awaited", `the user was asked to write, call or sign in, and no action has arrived: it is ${name}`)
  }
  if (attempt === undefined) return likely("unsent", `the verification is ${name}, and nothing was sent`)
  if (attempt.outcome === "unpaid")
    return likely("unpaid", "not enough balance: the account could not pay for the send")
  const send = records.findLast(({ id }) => id === attempt.delivery)
  const found =
    send === undefined
      ? likely(
          "unrecorded",
          `the last send, by ${attempt.channel}, is ${attempt.outcome}${attempt.reason === null ? "" : ` (${attempt.reason})`}`
        )
      : ofSend(send, about)
  return name === "canceled" ? { ...canceled(found), console: canceled(found.console) } : found
}

const canceled = <A extends { readonly reason: string }>(found: A): A => ({
  ...found,
  reason: `the client canceled the verification; before that, ${found.reason}`
})

const ofSend = (send: Delivery, about: About): Likely => {
  const { likely, words } = about
  if (isBlocked(send)) return blocked(send, about)
  const { channel, phase, status } = send
  const said = words.said(send)
  const because = (before: string): string => (said === null ? "" : `${before}${said}`)
  switch (phase) {
    case "pending":
      return likely("pending", `the gateway of ${channel} has not answered yet`)
    case "unknown":
      return likely("unknown", `the gateway of ${channel} did not answer: it is unknown whether the code was sent`)
    case "rejected":
      if (send.details["failure_reason"] === "no_route") {
        return likely("noRoute", `not sent by ${channel}: no carrier takes messages to this number for the moment`)
      }
      return likely(kindOf(send), `not sent by ${channel}: ${refusal(send) ?? said ?? "the gateway refused it"}`)
    case "refunded":
      return likely(
        "unreachable",
        `not delivered by ${channel}: the number cannot be reached on this channel${because(", ")}`
      )
    case "accepted":
      if (words.isShown(send)) return likely("arrived", `the phone showed it: ${channel} says ${status.name}`)
      if (status.name === "sent")
        return likely("sent", `accepted by the gateway of ${channel}, but no receipt has arrived`)
      return likely("undelivered", `the network said ${status.name}${because(": ")}`)
  }
}

/** Whose business a refusal of the gateway is: the user's, the operator's, or one or the other. */
const kindOf = ({ details }: Delivery): "refusedNumber" | "refusedService" | "rejected" =>
  NUMBERS.has(details["failure_field"])
    ? "refusedNumber"
    : details["failure"] === "SERVICE_UNAVAILABLE" && details["carrier_status"] !== undefined
      ? "refusedService"
      : "rejected"

/** The fields of channels' bodies that have the number. */
const NUMBERS: ReadonlySet<unknown> = new Set(["to", "callee"])

const blocked = (delivery: Delivery, { held, likely }: About): Likely =>
  likely("blocked", `blocked by ${codesOf(delivery, held)}`, `blocked by ${wordsOf(delivery, held)}`)
