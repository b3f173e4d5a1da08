import { ERASED } from "../../Delivery.ts"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Redaction, isPurgeable, isUnderWay, redacted } from "../../step/Redaction.ts"
import { type Forgotten, PURGED, type RetentionStore } from "../RetentionStore.ts"
import type { HeldClaim, Part, Unmatched } from "../../step/Snapshot.ts"
import type { Deliveries } from "./Deliveries.ts"
import type { Settings } from "./Settings.ts"

/** The tables that redactions and purges change. */
export interface Tables {
  readonly deliveries: Deliveries
  readonly claims: Map<string, HeldClaim>
  readonly parts: Map<string, Part>
  readonly reporters: Map<string, Set<string>>
  /** Keeps the unmatched reports that meet a condition, and answers how many did not. */
  readonly keepUnmatched: (condition: (report: Unmatched) => boolean) => number
}

export const make = (
  { claims, deliveries, keepUnmatched, parts, reporters }: Tables,
  settings: Settings,
  logs: ReadonlyArray<{ readonly forget: (to: string) => void }>
) => {
  const dropParts = (delivery: DeliveryId, condition: (ref: string) => boolean): void => {
    for (const [key, part] of parts) if (part.delivery === delivery && condition(key)) parts.delete(key)
  }

  const redact = (redactions: ReadonlyArray<Redaction>): number =>
    redactions.filter((redaction) => {
      const before = deliveries.get(redaction.id)
      const after = before && redacted(before, redaction)
      if (before === undefined || after === undefined || after === before) return false
      deliveries.put(after)
      if (after.to === ERASED) dropParts(before.id, (ref) => ref.includes(before.to))
      return true
    }).length

  const forget = ({ settings: names, to }: Parameters<RetentionStore["forget"]>[0]): Forgotten => {
    const named = [...claims].filter(([key, { delivery }]) => {
      const by = deliveries.get(delivery)
      return key.endsWith(to) && (by === undefined || !isUnderWay(by))
    })
    for (const [key] of named) claims.delete(key)
    for (const log of logs) log.forget(to)
    return {
      claims: named.length,
      reports: keepUnmatched(({ report }) => report.target.message.to !== to),
      settings: settings.removeAll(names)
    }
  }

  const purge = ({ before, limit }: Parameters<RetentionStore["purge"]>[0]): number => {
    const old = deliveries
      .before({ before, after: null, limit: Infinity })
      .filter((delivery) => isPurgeable(delivery, before))
      .slice(0, limit)
    for (const { id } of old) {
      deliveries.remove(id)
      dropParts(id, () => true)
      for (const key of reporters.keys()) if (key.startsWith(`${id} `)) reporters.delete(key)
    }
    if (old.length > 0) settings.change(null, PURGED, String(Math.max(before, purgedBefore())))
    return old.length
  }

  const purgedBefore = (): number => Number(settings.of(null).find(({ name }) => name === PURGED)?.value ?? 0)

  return { redact, forget, purge, purgedBefore }
}

export type Retention = ReturnType<typeof make>
