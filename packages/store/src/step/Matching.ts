/**
 * Finds the part that a report is about, by the rules of `AboutMessage`.
 */
import type { Delivery } from "../Delivery.ts"
import { fit } from "./Transitions.ts"
import type { Draft } from "./Draft.ts"
import type { Part, PartReport } from "./Snapshot.ts"

type Target = PartReport["target"]

export const matchingPart = (draft: Draft, target: Target): Part | undefined => {
  const { channel, message, refs } = target
  let perhaps: Part | undefined
  for (const [index, ref] of refs.entries()) {
    const part = draft.part(channel, ref)
    const delivery = part && draft.delivery(part.delivery)
    const fits = delivery ? fit(delivery, message, index === 0) : "not"
    if (fits === "exactly") return part
    if (fits === "perhaps") perhaps ??= part
  }
  return partOfOnlyReferable(draft, target) ?? perhaps
}

/** A new part of the one referable delivery to the number and with the reference that the report names. */
const partOfOnlyReferable = (draft: Draft, { channel, message, refs }: Target): Part | undefined => {
  const { reference, to } = message
  const only = to !== null && reference !== null ? draft.onlyReferable(channel, to, reference) : undefined
  if (only === undefined) return undefined
  const [name, ...spellings] = refs
  if (name === undefined) return { delivery: only.id, name: "" }
  return draft.name(only, [name, ...spellings.filter((ref) => draft.part(channel, ref) === undefined)])
}

/** Whether an unmatched report waits for one of a delivery's refs, and fits the delivery. */
export const isDue = (delivery: Delivery, refs: ReadonlyArray<string>, { target }: PartReport): boolean =>
  target.channel === delivery.channel &&
  target.refs.some((ref, index) => refs.includes(ref) && fit(delivery, target.message, index === 0) !== "not")
