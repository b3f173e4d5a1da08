import type { Group } from "./Merge.ts"
import { isPurged } from "./Purged.ts"
import { type Violation, violation } from "./Violation.ts"

export const eventsOfDelivery = ({ delivery, events, id }: Group, purgedBefore: number): ReadonlyArray<Violation> => {
  if (delivery === null && isPurged(id, purgedBefore)) return []
  const told = new Set<string>()
  return events.flatMap((event) => {
    if (delivery === null) {
      return [violation("event-delivery", event.id, `about delivery ${id}, which does not exist`)]
    }
    const version = `${event.endpoint} ${event.version}`
    const isKnown = event.version >= 1 && event.version <= (delivery.watch?.version ?? 0)
    const isSecond = told.has(version)
    told.add(version)
    return [
      ...(event.account === delivery.account && event.mode === delivery.mode
        ? []
        : [violation("event-delivery", event.id, `of another account or mode than delivery ${id}`)]),
      ...(isKnown && !isSecond
        ? []
        : [
            violation(
              "event-once",
              event.id,
              `version ${event.version} of delivery ${id} for ${event.endpoint}${isSecond ? ", again" : ""}`
            )
          ])
    ]
  })
}
