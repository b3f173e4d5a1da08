/**
 * Numbers for phases, kinds of entries and holds of claims. They are in databases: they never change.
 */
import type { EntryKind } from "../Account.ts"
import type { Phase } from "../Delivery.ts"
import type { HeldUntil } from "../internal/Requests.ts"

const phases = ["pending", "unknown", "accepted", "rejected", "refunded"] as const satisfies ReadonlyArray<Phase>
const kinds = ["credit", "hold", "settle", "release", "refund", "debit"] as const satisfies ReadonlyArray<EntryKind>
const holds = ["expiry", "rejection", "end"] as const satisfies ReadonlyArray<HeldUntil>

/** Below 2 a delivery is open. */
export const phaseCode = (phase: Phase): number => phases.indexOf(phase)
export const phaseOf = (code: number): Phase => phases[code] ?? "pending"

export const kindCode = (kind: EntryKind): number => kinds.indexOf(kind)
export const kindOf = (code: number): EntryKind => kinds[code] ?? "credit"

export const heldUntilCode = (heldUntil: HeldUntil): number => holds.indexOf(heldUntil)
export const heldUntilOf = (code: number): HeldUntil => holds[code] ?? "expiry"

/** Whether a delivery is referable, as `isReferable` of `@watchword/store/step` has it. */
export const isReferable = (d = ""): string =>
  `(${d}phase < 2 OR ${d}phase = 2 AND ${d}parts > 1 AND ${d}named < ${d}parts)`
