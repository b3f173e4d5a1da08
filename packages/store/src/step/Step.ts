/**
 * The step engine: decides the steps of a send (`open`, `close`, `report`) on a snapshot, as pure functions. The
 * decision is the store's answer, and the changes that the store applies.
 *
 * A store does three things for a step, in one transaction: it looks the facts up (by a {@link Snapshot} of its own, or
 * with a `Lookup`), takes the decision, and applies the changes.
 */
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { posted } from "../Account.ts"
import { type Delivery, PART_OF } from "../Delivery.ts"
import type { Close, Closed, Followed, Open, OpenRefused, Opened, Report, Reported } from "../internal/Requests.ts"
import * as Transitions from "./Transitions.ts"
import { type Changes, noChanges } from "./Changes.ts"
import { Draft } from "./Draft.ts"
import { isDue, matchingPart } from "./Matching.ts"
import type { PartReport, Snapshot } from "./Snapshot.ts"

export interface Decision<Answer> {
  readonly answer: Answer
  readonly changes: Changes
}

export const open = (snapshot: Snapshot, request: Open): Decision<Opened> => {
  const { delivery, whole } = request
  const { account, id } = delivery
  const draft = new Draft(snapshot)
  const repeated = draft.delivery(id)
  if (repeated !== undefined) {
    const available = draft.available(repeated.account)
    const known = whole === undefined ? {} : { whole: wholeOf(draft, repeated) }
    return unchanged({ _tag: "Opened", delivery: repeated, available, ...known })
  }
  const refused = whole && openIn(draft, snapshot, whole)
  if (refused) return unchanged({ _tag: "WholeRefused", by: refused })
  const own = openIn(draft, snapshot, request)
  if (own !== null) return unchanged(own)
  const opened = draft.delivery(id)
  if (opened === undefined) throw new Error(`the delivery ${id} was not opened`)
  const answer = { _tag: "Opened", delivery: opened, available: draft.available(account) } as const
  return decided(whole === undefined ? answer : { ...answer, whole: draft.delivery(whole.delivery.id) ?? null }, draft)
}

/** Opens a record, or says why not: nothing is changed then. */
const openIn = (draft: Draft, snapshot: Snapshot, request: Open): OpenRefused | null => {
  const { at, close: end, delivery } = request
  const { account, id, price } = delivery
  const payer = draft.account(account)
  if (payer === undefined) return { _tag: "NoAccount" }
  if (payer.suspended) return { _tag: "Suspended" }
  const claimed = claimedBy(snapshot, request)
  if (claimed !== undefined) return claimed
  if (Option.isNone(posted(payer.balance, "hold", price))) {
    return { _tag: "Insufficient", available: payer.balance.available }
  }
  const pending = Transitions.opened(request)
  draft.open(pending, request)
  if (end !== undefined) closeIn(draft, pending, { ...end, id, at })
  return null
}

/** The first claim that another delivery holds. */
const claimedBy = (snapshot: Snapshot, { at, claims, delivery }: Open): OpenRefused | undefined => {
  for (const claim of claims) {
    const held = snapshot.claim(delivery.account, delivery.mode, claim.key)
    if (held === undefined || held.expiresAt <= at) continue
    const by = snapshot.delivery(held.delivery)
    if (by === undefined || Transitions.passesOn(held, by)) continue
    return { _tag: "Claimed", claim, sameFingerprint: held.fingerprint === claim.fingerprint, by }
  }
  return undefined
}

export const close = (snapshot: Snapshot, request: Close): Decision<Closed> => {
  const draft = new Draft(snapshot)
  const before = draft.delivery(request.id)
  if (before === undefined) return unchanged({ _tag: "Missing" })
  const { closed, delivery } = closeIn(draft, before, request)
  const available = draft.available(before.account)
  if (!closed) return decided({ _tag: "Unchanged", before, delivery, available }, draft)
  const answer = { _tag: "Closed", before, delivery, available } as const
  const followed = followIn(draft, delivery, request)
  return decided(followed === null ? answer : { ...answer, followed }, draft)
}

/** Moves the phase and the price, names the parts, and replays the reports that waited for them. */
const closeIn = (draft: Draft, before: Delivery, request: Close) => {
  const { at, id, refs } = request
  const { channel } = before
  const after = draft.write(Transitions.closed(before, request), at)
  for (const ref of refs) {
    const part = draft.part(channel, ref)
    // A repeated close has counted a ref that a report has led to another message since.
    if (part === undefined || (part.delivery !== id && after !== before)) draft.name(after, [ref])
    else if (part.delivery !== id) draft.lead(after, ref)
  }
  const due = draft.unmatched(channel, refs).filter(({ report }) => isDue(before, refs, report))
  draft.replay(due)
  for (const { report } of due) reportOnPart(draft, report)
  return { closed: after !== before, delivery: draft.delivery(id) ?? after }
}

export const report = (snapshot: Snapshot, request: Report): Decision<Reported> => {
  const { target } = request
  const draft = new Draft(snapshot)
  if (target._tag === "Part") {
    const reported = reportOnPart(draft, { ...request, target })
    if (reported._tag === "Unmatched") draft.keep({ ...request, target })
    return decided(withFollowed(draft, reported, request), draft)
  }
  const before = draft.delivery(target.id)
  if (before === undefined) return unchanged({ _tag: "Missing" })
  return decided(withFollowed(draft, reportOnRecord(draft, before, request), request), draft)
}

const reportOnRecord = (draft: Draft, before: Delivery, request: Report): Moved => {
  const { delivery, posting } = Transitions.paid(before, request)
  const after = Transitions.rescheduled(before, Transitions.advanced(delivery, request), request)
  const note = Transitions.isMoved(before, after) ? (request.note ?? null) : null
  return reported(before, draft.write({ delivery: after, posting }, request.at, note))
}

/** The whole that a record is a part of, if it is there. */
const wholeOf = (draft: Draft, { details }: Delivery): Delivery | null => {
  const id = details[PART_OF]
  return typeof id === "string" && isId(id) ? (draft.delivery(id) ?? null) : null
}

/** Has the whole follow the change of its part. */
const followIn = (draft: Draft, part: Delivery, { at, follow }: Pick<Report, "at" | "follow">): Followed | null => {
  const whole = follow === undefined ? null : wholeOf(draft, part)
  const request = whole === null ? null : (follow?.(part, whole, at) ?? null)
  if (whole === null || request === null) return null
  const { _tag, before, delivery } = reportOnRecord(draft, whole, request)
  return _tag === "Moved" ? { before, delivery } : null
}

const withFollowed = (draft: Draft, answer: Reported, request: Report): Reported => {
  if (answer._tag !== "Moved") return answer
  const followed = followIn(draft, answer.delivery, request)
  return followed === null ? answer : { ...answer, followed }
}

const reportOnPart = (draft: Draft, request: PartReport): Reported => {
  const { at, everyPart, status, target } = request
  const part = matchingPart(draft, target)
  const before = part && draft.delivery(part.delivery)
  if (part === undefined || before === undefined) return { _tag: "Unmatched" }
  const { delivery, posting } = Transitions.paid(before, request)
  const advanced = Transitions.advanced(delivery, request)
  const waits =
    everyPart && status !== null && advanced !== delivery && !draft.isComplete(part, status.name, delivery.parts)
  return reported(before, draft.write({ delivery: waits ? delivery : advanced, posting }, at))
}

/** The answer to a report that has found its delivery. */
type Moved = Extract<Reported, { readonly _tag: "Moved" | "Unchanged" }>

const reported = (before: Delivery, after: Delivery): Moved => ({
  _tag: Transitions.isMoved(before, after) ? "Moved" : "Unchanged",
  before,
  delivery: after
})

const isId = Schema.is(DeliveryId)

const decided = <Answer>(answer: Answer, draft: Draft): Decision<Answer> => ({ answer, changes: draft.changes() })

const unchanged = <Answer>(answer: Answer): Decision<Answer> => ({ answer, changes: noChanges })
