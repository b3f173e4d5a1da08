/**
 * Verifications: budgets that never refill, one approval, and attempts that agree with the outcomes of their sends.
 */
import { INTERRUPTED } from "@watchword/schemas/Call"
import type { Delivery } from "@watchword/store/Delivery"
import { ERASED } from "@watchword/store/Delivery"
import { type Stored, read } from "../../../packages/verify/src/internal/VerificationRecord.ts"
import type { Asked } from "../Asking.ts"
import type { Evidence, Violation } from "../Evidence.ts"

const storedOf = ({ records }: Evidence): ReadonlyArray<Stored> =>
  records.filter(({ channel, to }) => channel === "verify" && to !== ERASED).map(read)

/** A rule for each verification; its violations name the verification and its status. */
const each =
  (rule: string, faultsOf: (stored: Stored, evidence: Evidence) => ReadonlyArray<string>) =>
  (evidence: Evidence): ReadonlyArray<Violation> =>
    storedOf(evidence).flatMap((stored) =>
      faultsOf(stored, evidence).map((what) => ({
        rule,
        number: stored.delivery.to,
        what: `vrf_${stored.delivery.id}, ${stored.plan.status}: ${what}`
      }))
    )

const checksOf = ({ delivery }: Stored, { asked }: Evidence): ReadonlyArray<Asked> =>
  asked.filter(
    ({ body, path }) => path === "/verifications/check" && body?.["verification_id"] === `vrf_${delivery.id}`
  )

/** The answers to different guesses: answers to one idempotency key count once. */
const distinct = (checks: ReadonlyArray<Asked>): ReadonlyArray<Asked> => [
  ...checks.filter(({ key }) => key === null),
  ...new Map(checks.filter(({ key }) => key !== null).map((check) => [check.key, check])).values()
]

const codesOf = ({ delivery }: Stored, { arrivals }: Evidence): ReadonlySet<string> =>
  new Set(arrivals.filter(({ code, number }) => number === delivery.to && code !== null).map(({ code }) => code ?? ""))

export const approvedOnce = each("approved-once", (stored, evidence) => {
  const valid = distinct(
    checksOf(stored, evidence).filter(({ answer, status }) => status === 200 && answer["valid"] === true)
  )
  const codes = codesOf(stored, evidence)
  return [
    ...(valid.length > 1 ? [`${valid.length} guesses were right`] : []),
    ...(valid.length > 0 && stored.plan.status !== "approved" ? ["a guess was right"] : []),
    ...valid.flatMap(({ body }) => (codes.has(String(body?.["code"])) ? [] : ["a guess was right that no message had"]))
  ]
})

const textsOf = ({ delivery }: Stored, { written }: Evidence) =>
  written.filter(({ verification }) => verification === `vrf_${delivery.id}`)

/** A user has so many milliseconds for a text before its step may end. */
const STEP = 25_000

/** Only a text of the number approves, and an acknowledged text is on record. */
export const acted = each("acted", (stored, evidence) => {
  const { delivery, plan } = stored
  const texts = textsOf(stored, evidence)
  const results = plan.heard.map(({ result }) => result)
  const approvals = results.filter((result) => result === "approved").length
  const own = texts.filter(({ from }) => from === delivery.to)
  const foreign = texts.filter(({ from }) => from !== delivery.to)
  const known = own.find(({ acknowledgedAt }) => acknowledgedAt !== null && acknowledgedAt - delivery.createdAt < STEP)
  return [
    ...(approvals > 1 ? [`${approvals} texts approved it`] : []),
    ...(results.some((result) => result === "approved" || result === "replied") && own.length === 0
      ? ["it was proved by a text that its number has not sent"]
      : []),
    ...(results.includes("other_number") && foreign.length === 0 ? ["only its own number has sent its token"] : []),
    ...(known !== undefined && results.length === 0 && plan.step === 0
      ? ["a text was acknowledged, of which there is nothing on record"]
      : [])
  ]
})

export const guesses = each("guesses", (stored, evidence) => {
  const compared = distinct(
    checksOf(stored, evidence).filter(
      ({ answer, status }) => status === 200 && answer["valid"] === false && answer["status"] === "pending"
    )
  )
  const left = compared.map(({ answer }) => answer["checks_left"])
  const most = mostAttempts(stored, evidence)
  return [
    ...(new Set(left).size < left.length ? [`guesses were answered with the same number left: ${left.join(" ")}`] : []),
    ...(compared.length > most ? [`${compared.length} guesses of ${most} were compared`] : [])
  ]
})

const mostAttempts = ({ delivery }: Stored, { asked }: Evidence): number =>
  Number(
    asked.find(({ number, path }) => number === delivery.to && path === "/verifications")?.body?.["max_checks"] ?? 10
  )

export const sends = each("sends", ({ delivery, terms }, { arrivals }) => {
  const arrived = arrivals.filter(({ number, part, taken }) => number === delivery.to && taken && part === 1)
  return arrived.length > terms.max_sends
    ? [`${arrived.length} messages of ${terms.max_sends}: ${arrived.map(({ channel }) => channel).join(" ")}`]
    : []
})

export const oneCode = each("one-code", (stored, evidence) => {
  const codes = new Set(
    evidence.arrivals
      .filter(({ channel, code, number }) => number === stored.delivery.to && channel !== "call" && code !== null)
      .map(({ code }) => code)
  )
  return codes.size > 1 ? [`${codes.size} codes were sent`] : []
})

export const final = each("final", ({ plan }) => (plan.status === "pending" ? ["it is pending at rest"] : []))

/** A verification that stays due forever could be neither erased nor deleted. */
export const settled = each("settled", ({ delivery }) =>
  delivery.dueAt === null ? [] : [`it is ${delivery.status.name}, and due at rest`]
)

/** The plan opens a step; the record of its send follows a moment later, after the probe of a chat gateway. */
export const nothingAfterTheEnd = each("after-the-end", ({ delivery, plan }, { records }) => {
  const begun = new Set(plan.attempts.filter(({ at }) => at <= delivery.statusAt).map((attempt) => attempt.delivery))
  return records
    .filter(({ createdAt, details }) => details["verification"] === delivery.id && createdAt > delivery.statusAt)
    .filter(({ id }) => plan.status !== "pending" && !begun.has(id))
    .map(({ channel, createdAt, id }) => `${channel} ${id} was opened ${createdAt - delivery.statusAt} ms later`)
})

const LOST = new Set(["undelivered", "failed", "expired"])
const SHOWN = new Set(["NO_ANSWER", "ORIGINATOR_CANCEL", "NORMAL_CLEARING", "USER_BUSY", "CALL_REJECTED"])

/** The outcome that an attempt must have, given the record of its send. */
const expected = ({ channel, details, phase, status }: Delivery): string => {
  if (phase === "pending") return "opening"
  if (phase === "unknown") return "unknown"
  if (status.name === "revoked") return "revoked"
  // Its process died when the phone may have rung: the phone may show the caller.
  if (details[INTERRUPTED] === true) return "unknown"
  if (phase === "rejected") return "undelivered"
  if (status.name === "delivered" || status.name === "read") return "delivered"
  const cause = details["hangup_cause"]
  const isDropped = channel === "call" && typeof cause === "string" && !SHOWN.has(cause)
  return LOST.has(status.name) || isDropped ? "undelivered" : "accepted"
}

/** The amount that the balance has lost for a send. */
const lossOf = (record: Delivery | undefined): number => (record?.phase === "accepted" ? record.price : 0)

export const attempts = each("attempts", ({ plan }, { records }) =>
  plan.attempts.flatMap(({ channel, delivery, outcome, price, probe }, nth) => {
    const record = records.find(({ id }) => id === delivery)
    if (record === undefined) {
      return outcome === "unpaid" || outcome === "undelivered"
        ? []
        : [`attempt ${nth + 1} by ${channel} is ${outcome}, and has no record`]
    }
    const said = expected(record)
    const paid = lossOf(record) + lossOf(records.find(({ id }) => id === probe))
    const about = `attempt ${nth + 1} by ${channel} is ${outcome} at ${price}, and its record ${record.phase} ${record.status.name} at ${paid}`
    return outcome === said && (price === paid || said === "unknown") ? [] : [about]
  })
)

/** Every verification whose start was answered is on record. */
export const started = ({ asked, records }: Evidence): ReadonlyArray<Violation> => {
  const ids = new Set(records.map(({ id }) => `vrf_${id}`))
  return asked
    .filter(({ answer, path, status }) => path === "/verifications" && status === 200 && !ids.has(String(answer["id"])))
    .map(({ answer, number }) => ({
      rule: "answered",
      number,
      what: `a start was answered with ${String(answer["id"])}, of which there is no record`
    }))
}
