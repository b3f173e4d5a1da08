/**
 * Messages and money: each message that a peer accepted has one record and one charge, and nothing else is charged.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { ERASED } from "@watchword/store/Delivery"
import { toDeliveryId } from "@watchword/schemas/Sms"
import * as Option from "effect/Option"
import type { Arrival } from "../Arrivals.ts"
import type { Evidence, Violation } from "../Evidence.ts"
import { isHammered } from "./limits.ts"

const isCharged = ({ phase }: Delivery): boolean => phase === "accepted" || phase === "refunded"

/** Messages shown on phones. */
const shown = ({ arrivals }: Evidence): ReadonlyArray<Arrival> =>
  arrivals.filter(({ part, taken }) => taken && part === 1)

/** Messages of which a peer has accepted at least one part, which is why the price is kept. */
const takenInPart = ({ arrivals }: Evidence): ReadonlyArray<Arrival> => [
  ...new Map(arrivals.filter(({ taken }) => taken).map((arrival) => [messageOf(arrival), arrival])).values()
]

/** The identity that all parts of a message share: the number of the part is left out. */
const messageOf = ({ channel, identity }: Arrival): string =>
  channel === "sms" ? identity.slice(0, identity.lastIndexOf(" ")) : identity

const about = (number: string, channel: string): string => `${channel} to ${number}`

const countBy = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(rows, key)].map(([name, group]) => [name, group.length]))

/** A message that was written is never written again, unless the peer refused it. */
export const once = ({ arrivals }: Evidence): ReadonlyArray<Violation> =>
  [...Map.groupBy(arrivals, ({ channel, identity }) => `${channel} ${identity}`)].flatMap(([identity, group]) => {
    const taken = group.filter((each) => each.taken)
    const [first] = taken
    return first === undefined || taken.length === 1
      ? []
      : [{ rule: "sent-once", number: first.number, what: `${identity} was taken ${taken.length} times` }]
  })

/** Every message on a phone has a record. */
export const recorded = (evidence: Evidence): ReadonlyArray<Violation> => {
  const { erased, records } = evidence
  const ids = new Set<string>(records.map(({ id }) => id))
  const counts = countBy(records, ({ channel, to }) => about(to, channel))
  const messages = shown(evidence).filter(({ number }) => !erased.has(number))
  const nameless = messages.filter(({ delivery }) => delivery !== null && !ids.has(delivery))
  const many = [...countBy(messages, ({ channel, number }) => about(number, channel))].filter(
    ([key, count]) => count > (counts.get(key) ?? 0)
  )
  return [
    ...nameless.map(({ channel, number, identity }) => ({
      rule: "recorded",
      number,
      what: `${about(number, channel)} arrived as ${identity}, and has no record`
    })),
    ...many.map(([key, count]) => ({
      rule: "recorded",
      number: key.split(" ").at(-1) ?? null,
      what: `${count} ${key} arrived, with ${counts.get(key) ?? 0} records`
    }))
  ]
}

/** Every hold ends. */
export const ended = ({ records }: Evidence): ReadonlyArray<Violation> =>
  records
    .filter(({ phase }) => phase === "pending" || phase === "unknown")
    .map(({ channel, id, phase, to }) => ({ rule: "ended", number: to, what: `${channel} ${id} is ${phase} at rest` }))

/** Every charged message has arrived, at least one part of it. */
export const chargedForSomething = (evidence: Evidence): ReadonlyArray<Violation> => {
  const messages = takenInPart(evidence)
  const named = new Set(messages.map(({ delivery }) => delivery))
  const counts = countBy(messages, ({ channel, number }) => about(number, channel))
  const paid = evidence.records.filter(
    (record) =>
      isCharged(record) && record.to !== ERASED && record.channel !== "verify" && record.channel !== "chatgw_probe"
  )
  return [...Map.groupBy(paid, ({ channel, to }) => about(to, channel))].flatMap(([key, group]) => {
    const [first] = group
    if (first === undefined) return []
    const isNamed = first.channel === "chatgw" || first.channel === "bizchat"
    const absent = isNamed ? group.filter(({ id }) => !named.has(id)) : group.slice(counts.get(key) ?? 0)
    return absent.map(({ id, status }) => ({
      rule: "charged",
      number: first.to,
      what: `${key}, ${id}, is charged as ${status.name}, and never arrived`
    }))
  })
}

/** Every message that arrived and was reported to the service is charged. */
export const paidFor = (evidence: Evidence): ReadonlyArray<Violation> => {
  const { erased, records } = evidence
  const paid = records.filter(isCharged)
  const ids = new Set<string>(paid.map(({ id }) => id))
  const counts = countBy(paid, ({ channel, to }) => about(to, channel))
  const reported = shown(evidence).filter(({ number, owed, told }) => !erased.has(number) && owed > 0 && told >= owed)
  return [...Map.groupBy(reported, ({ channel, number }) => about(number, channel))].flatMap(([key, group]) => {
    const [first] = group
    if (first === undefined) return []
    const unpaid =
      first.delivery === null
        ? group.slice(counts.get(key) ?? 0)
        : group.filter(({ delivery }) => !ids.has(delivery ?? ""))
    return unpaid.map(({ delivery, identity }) => ({
      rule: "paid",
      number: first.number,
      what: `${key} arrived as ${delivery ?? identity}, was reported, and is not charged`
    }))
  })
}

const SENDS: Readonly<Record<string, string>> = {
  "/sms": "messageId",
  "/call/flash": "uuid",
  "/chatgw": "uuid",
  "/bizchat/otp": "uuid"
}

const REFUSALS = new Set([400, 401, 402, 403, 404, 429, 486, 603])

/**
 * Every send that was answered with 200 is on record, and charged. A refused send is not charged, unless the carrier
 * accepted part of the text, in which case the answer says so.
 */
export const asAnswered = ({ asked, records }: Evidence): ReadonlyArray<Violation> => {
  const byId = new Map<string, Delivery>(records.map((record) => [record.id, record]))
  const sends = asked.filter(({ path }) => Object.hasOwn(SENDS, path))
  const violations: Array<Violation> = []
  for (const { answer, number, path, status } of sends) {
    if (status !== 200) continue
    const id = String(answer[SENDS[path] ?? ""])
    const record = byId.get(Option.getOrElse(toDeliveryId(id), () => id))
    if (record === undefined)
      violations.push({
        rule: "answered",
        number,
        what: `${path} was answered with ${id}, of which there is no record`
      })
    else if (!isCharged(record))
      violations.push({
        rule: "answered",
        number,
        what: `${path} was answered with 200, and ${record.id} is ${record.phase}`
      })
  }
  for (const [key, group] of Map.groupBy(sends, ({ number, path }) => `${path} ${number}`)) {
    const [first] = group
    if (first === undefined || isHammered(first.number)) continue
    if (!group.every(({ status }) => status !== null && REFUSALS.has(status))) continue
    if (group.some(({ answer }) => String(answer["message"]).includes("not sent whole, and is charged"))) continue
    const channel = first.path.split("/")[1]
    const charged = records.filter(
      (record) => record.to === first.number && record.channel === channel && isCharged(record)
    )
    for (const { id } of charged)
      violations.push({
        rule: "refused",
        number: first.number,
        what: `${key} was refused with ${first.status}, and ${id} is charged`
      })
  }
  return violations
}
