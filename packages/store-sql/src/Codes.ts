/**
 * Numbers for phases and kinds of entries. They are in databases: they never change.
 */
import type { EntryKind } from "@watchword/store/Account"
import type { Phase } from "@watchword/store/Delivery"

const phases = ["pending", "unknown", "accepted", "rejected", "refunded"] as const satisfies ReadonlyArray<Phase>
const kinds = ["credit", "hold", "settle", "release", "refund", "debit"] as const satisfies ReadonlyArray<EntryKind>

/** Below 2 a delivery is open. */
export const phaseCode = (phase: Phase): number => phases.indexOf(phase)
export const phaseOf = (code: number): Phase => phases[code] ?? "pending"

export const kindCode = (kind: EntryKind): number => kinds.indexOf(kind)
export const kindOf = (code: number): EntryKind => kinds[code] ?? "credit"

/** Whether a delivery is referable, as `@watchword/store/Transitions` has it. */
export const isReferable = (d = ""): string =>
  `(${d}phase < 2 OR ${d}phase = 2 AND ${d}parts > 1 AND ${d}named < ${d}parts)`
