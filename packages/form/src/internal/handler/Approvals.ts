/**
 * Calls the app once for each approval.
 */
import type { Approval, Approved } from "./Options.ts"

/** Reports an approval to the app and returns its answer; null if the approval is too old to report. */
export type Settle = (approval: Approval, now: number) => Promise<Approved | null>

/** The most approvals to remember. */
const MOST = 10_000

/** The oldest approval to report, in milliseconds. A user retries at once, so an older one is a replay. */
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
    // The user's next try reports it again.
    under.catch(() => settled.delete(id))
    return under
  }
}
