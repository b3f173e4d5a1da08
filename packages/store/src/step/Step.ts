/**
 * The step engine: decides the steps of a send (`open`, `close`, `report`) on a snapshot, as pure functions. The
 * decision is the store's answer, and the changes that the store applies.
 *
 * A store does three things for a step, in one transaction: it looks the facts up (by a {@link Snapshot} of its own, or
 * with a `Lookup`), takes the decision, and applies the changes.
 */
import * as Option from "effect/Option"
import { posted } from "../Account.ts"
import type { Close, Closed, Open, Opened, Report, Reported } from "../internal/Requests.ts"
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
  const { at, close: end, delivery } = request
  const { account, id, price } = delivery
  const draft = new Draft(snapshot)
  const repeated = draft.delivery(id)
  if (repeated !== undefined) {
    return unchanged({ _tag: "Opened", delivery: repeated, available: draft.available(repeated.account) })
  }
  const payer = snapshot.account(account)
  if (payer === undefined) return unchanged({ _tag: "NoAccount" })
  if (payer.suspended) return unchanged({ _tag: "Suspended" })
  const claimed = claimedBy(snapshot, request)
  if (claimed !== undefined) return unchanged(claimed)
  if (Option.isNone(posted(payer.balance, "hold", price))) {
    return unchanged({ _tag: "Insufficient", available: payer.balance.available })
  }
  const pending = Transitions.opened(request)
  draft.open(pending, request)
  const opened = end === undefined ? pending : closeIn(draft, pending, { ...end, id, at }).delivery
  return decided({ _tag: "Opened", delivery: opened, available: draft.available(account) }, draft)
}

/** The first claim that another delivery holds. */
const claimedBy = (snapshot: Snapshot, { at, claims, delivery }: Open): Opened | undefined => {
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
  return decided({ _tag: closed ? "Closed" : "Unchanged", before, delivery, available }, draft)
}

/** Moves the phase and the price, names the parts, and replays the reports that waited for them. */
const closeIn = (draft: Draft, before: Transitions.Transition["delivery"], request: Close) => {
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
  const { at, target } = request
  const draft = new Draft(snapshot)
  if (target._tag === "Part") {
    const reported = reportOnPart(draft, { ...request, target })
    if (reported._tag === "Unmatched") draft.keep({ ...request, target })
    return decided(reported, draft)
  }
  const before = draft.delivery(target.id)
  if (before === undefined) return unchanged({ _tag: "Missing" })
  const { delivery, posting } = Transitions.paid(before, request)
  const after = Transitions.rescheduled(before, Transitions.advanced(delivery, request), request)
  const note = Transitions.isMoved(before, after) ? (request.note ?? null) : null
  return decided(reported(before, draft.write({ delivery: after, posting }, at, note)), draft)
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

const reported = (before: Transitions.Transition["delivery"], after: typeof before): Reported => ({
  _tag: Transitions.isMoved(before, after) ? "Moved" : "Unchanged",
  before,
  delivery: after
})

const decided = <Answer>(answer: Answer, draft: Draft): Decision<Answer> => ({ answer, changes: draft.changes() })

const unchanged = <Answer>(answer: Answer): Decision<Answer> => ({ answer, changes: noChanges })
