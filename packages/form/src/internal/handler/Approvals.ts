/**
 * Calls the app once for each approval.
 */
import type { Approval, Approved } from "./Options.ts"

/** Gives the app's answer about an approved verification; null where it was approved too long ago to be news. */
export type Settle = (approval: Approval, now: number) => Promise<Approved | null>

/** Approvals that the app knows of, beyond which the oldest is forgotten. */
const MOST = 10_000

/** How long after it an approval is passed on that the app has not heard of: a user who tries again does so at once. */
const NEWS = 600_000

export const make = (onApproved: (approval: Approval) => Approved | void | Promise<Approved | void>): Settle => {
  const settled = new Map<string, Promise<Approved>>()

  const settle = async (approval: Approval): Promise<Approved> => (await onApproved(approval)) ?? {}

  return (approval, now) => {
    const { approved_at: at, id } = approval.verification
    const known = settled.get(id)
    if (known !== undefined) return known
    if (at === null || now - Date.parse(at) > NEWS) return Promise.resolve(null)
    const [oldest] = settled.keys()
    if (settled.size >= MOST && oldest !== undefined) settled.delete(oldest)
    const under = settle(approval)
    settled.set(id, under)
    // The user tries again, and so does this.
    under.catch(() => settled.delete(id))
    return under
  }
}
