import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import type { Facts, Lookup, Snapshot } from "@watchword/store/step"

/** The facts that a lookup asks for, no more, where only these statuses are ever reported. */
export const gather = (snapshot: Snapshot, lookup: Lookup, statuses: ReadonlyArray<string>): Facts => {
  const { id, keys, message, refs, tenant } = lookup
  const named = id === null ? undefined : snapshot.delivery(id)
  const channel = lookup.channel ?? named?.channel
  const claims = keys.flatMap((key) => {
    const held = tenant && snapshot.claim(tenant.account, tenant.mode, key)
    return held ? [held] : []
  })
  const unmatched = id === null || channel === undefined ? [] : snapshot.unmatched(channel, refs)
  const spellings = new Set([...refs, ...unmatched.flatMap(({ report }) => report.target.refs)])
  const parts = [...spellings].flatMap((ref) => {
    const part = channel && snapshot.part(channel, ref)
    return part ? [[ref, part] as const] : []
  })
  const referred = [message, ...unmatched.map(({ report }) => report.target.message)].flatMap(({ reference, to }) =>
    channel === undefined || to === null || reference === null ? [] : snapshot.referable(channel, to, reference)
  )
  const deliveries = new Map<DeliveryId, Delivery>()
  for (const each of [named, ...referred]) if (each) deliveries.set(each.id, each)
  for (const { delivery } of [...claims, ...parts.map(([, part]) => part)]) {
    const found = snapshot.delivery(delivery)
    if (found) deliveries.set(found.id, found)
  }
  const accounts = new Set<AccountId>([...deliveries.values()].map(({ account }) => account))
  if (tenant) accounts.add(tenant.account)
  return {
    accounts: [...accounts].flatMap((account) => {
      const state = snapshot.account(account)
      return state ? [[account, state] as const] : []
    }),
    deliveries: [...deliveries.values()],
    claims,
    parts,
    reported: [...deliveries.keys()].flatMap((delivery) =>
      statuses.flatMap((status) => snapshot.reporters(delivery, status).map((part) => ({ delivery, status, part })))
    ),
    unmatched
  }
}
