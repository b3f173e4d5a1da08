/**
 * Alarms that are open, as the store keeps them, and the notices that are due to each destination.
 *
 * An alarm has one id from its first minute until its problem is gone, whichever process sends it and however often.
 */
import { nextUlid } from "@watchword/schemas/Ids"
import { state } from "@watchword/store/Setting"
import * as Schema from "effect/Schema"
import type { Problem } from "../insight/overview/Problem.ts"
import type { Notice } from "./Notice.ts"
import { type QuietHours, isQuiet } from "./QuietHours.ts"

const Severity = Schema.Literals(["bad", "warn"])

/** The last notice that a destination has taken. */
const Taken = Schema.Struct({ at: Schema.Int, count: Schema.Int, severity: Severity })

const Open = Schema.Struct({
  id: Schema.String,
  since: Schema.Int,
  /** When the problem was last seen. */
  seen: Schema.Int,
  /** When it had been gone for some minutes; null while it lasts. */
  ended: Schema.NullOr(Schema.Int),
  kind: Schema.String,
  about: Schema.String,
  severity: Severity,
  text: Schema.String,
  link: Schema.String,
  command: Schema.NullOr(Schema.String),
  /** By the names of destinations. */
  taken: Schema.Record(Schema.String, Taken)
})
export type OpenAlarm = typeof Open.Type

export const openAlarms = state("alarms", Schema.Array(Open))

/** The most alarms at a time; further problems wait. */
const MOST = 200

/** A problem is gone once it was not seen for this long, so that one at its threshold is one alarm. */
const GONE_AFTER = 5 * 60_000

/** An end that no destination takes is dropped after a day. */
const END_KEPT = 24 * 60 * 60_000

const keyOf = ({ about, kind }: Pick<OpenAlarm, "about" | "kind">): string => `${kind} ${about}`

/** The alarms after a look at the problems. */
export const followed = (
  before: ReadonlyArray<OpenAlarm>,
  problems: ReadonlyArray<Problem>,
  now: number
): ReadonlyArray<OpenAlarm> => {
  const seen = new Map(problems.map((problem) => [keyOf(problem), problem]))
  const known = new Set(before.map(keyOf))
  const kept = before.flatMap((alarm): ReadonlyArray<OpenAlarm> => {
    const problem = seen.get(keyOf(alarm))
    if (problem !== undefined) return [{ ...alarm, ...saidOf(problem), seen: now, ended: null }]
    if (now - alarm.seen < GONE_AFTER) return [alarm]
    const ended = alarm.ended ?? now
    const isSettled = Object.keys(alarm.taken).length === 0
    return isSettled || now - ended >= END_KEPT ? [] : [{ ...alarm, ended }]
  })
  const begun = [...seen.values()]
    .filter((problem) => !known.has(keyOf(problem)))
    .map((problem) => ({
      ...saidOf(problem),
      id: `alm_${nextUlid(now)}`,
      kind: problem.kind,
      about: problem.about,
      since: now,
      seen: now,
      ended: null,
      taken: {}
    }))
  return [...kept, ...begun].slice(0, MOST)
}

const saidOf = ({ act, kind, link, severity, text }: Problem) => ({
  severity,
  text,
  link,
  command: kind === "attack" ? commandOf(act) : null
})

/** The act in the words of the command line; that of other kinds may name a whole number, which stays here. */
const commandOf = (act: Problem["act"]): string | null =>
  act?.command === "guard block" ? `guard block ${act.input.place} --for ${act.input.for}` : null

export interface Rules {
  /** Milliseconds after which an alarm that lasts is sent again. */
  readonly again: number
  readonly quiet: QuietHours | null
}

/** The notices that a destination has not taken yet. */
export const dueTo = (
  destination: string,
  alarms: ReadonlyArray<OpenAlarm>,
  { again, quiet }: Rules,
  now: number
): ReadonlyArray<Notice> => {
  const isNight = quiet !== null && isQuiet(quiet, now)
  return alarms.flatMap(({ taken, ...alarm }): ReadonlyArray<Notice> => {
    const before = taken[destination]
    if (alarm.ended !== null) {
      return before === undefined || isNight ? [] : [{ ...alarm, type: "alarm.resolved", count: before.count }]
    }
    if (isNight && alarm.severity === "warn") return []
    const isNews = before === undefined || now - before.at >= again
    const isWorse = before?.severity === "warn" && alarm.severity === "bad"
    return isNews || isWorse ? [{ ...alarm, type: "alarm.raised", count: (before?.count ?? 0) + 1 }] : []
  })
}

/** The alarms after a destination has taken notices. */
export const takenBy = (
  destination: string,
  alarms: ReadonlyArray<OpenAlarm>,
  notices: ReadonlyArray<Notice>,
  now: number
): ReadonlyArray<OpenAlarm> => {
  const byId = new Map(notices.map((notice) => [notice.id, notice]))
  return alarms.map((alarm) => {
    const notice = byId.get(alarm.id)
    if (notice === undefined) return alarm
    const { [destination]: _, ...others } = alarm.taken
    if (notice.type === "alarm.resolved") return { ...alarm, taken: others }
    const taken = { at: now, count: notice.count, severity: notice.severity }
    return { ...alarm, taken: { ...others, [destination]: taken } }
  })
}
