/**
 * A notice of an alarm to a destination: as an event, and as lines for people.
 */

export interface Notice {
  readonly type: "alarm.raised" | "alarm.resolved" | "alarm.test"
  /** Of the alarm, the same in each notice of it. */
  readonly id: string
  /** The how-many-eth notice of the alarm it is. */
  readonly count: number
  readonly kind: string
  readonly about: string
  readonly severity: "bad" | "warn"
  readonly text: string
  /** A page of the console by its hash. */
  readonly link: string
  /** A command that may mend it; null for none. */
  readonly command: string | null
  readonly since: number
  readonly ended: number | null
}

/** The id of a notice, which is the same each time it is sent. */
export const idOf = ({ count, id, type }: Notice): string => `${id}_${type.slice("alarm.".length)}_${count}`

/** The event that a webhook gets. */
export const eventOf = (notice: Notice, at: number): object => ({
  type: notice.type,
  timestamp: iso(at),
  data: {
    alarm_id: notice.id,
    kind: notice.kind,
    about: notice.about,
    severity: notice.severity,
    text: notice.text,
    link: notice.link,
    command: notice.command,
    since: iso(notice.since),
    ended: notice.ended === null ? null : iso(notice.ended),
    count: notice.count
  }
})

/** One line for each, such as the subject of a mail. */
export const titleOf = ({ text, type }: Notice): string => (type === "alarm.resolved" ? `Over: ${text}` : text)

/** A notice for people. */
export const linesOf = (notice: Notice): ReadonlyArray<string> => [
  titleOf(notice),
  ...(notice.ended === null ? [] : [`It ended at ${iso(notice.ended)}.`]),
  `Since ${iso(notice.since)}, alarm ${notice.id}.`,
  ...(notice.command === null || notice.ended !== null ? [] : [`watchword ${notice.command}`])
]

const iso = (at: number): string => new Date(at).toISOString()
