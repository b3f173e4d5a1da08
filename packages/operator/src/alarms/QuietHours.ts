/**
 * Quiet hours: a time of each day in a time zone, such as `22:00-07:00 Europe/Berlin`, in which only bad problems raise
 * an alarm.
 */

export interface QuietHours {
  /** Minutes since midnight; where the second is earlier, they last until the next day. */
  readonly from: number
  readonly until: number
  readonly zone: string
}

const TEXT = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)(?: (\S+))?$/

/** Null for a text that is not of this form, or that names no time zone; the zone is UTC unless named. */
export const parse = (text: string): QuietHours | null => {
  const [, fromHour, fromMinute, untilHour, untilMinute, zone = "UTC"] = TEXT.exec(text) ?? []
  if (fromHour === undefined || !isZone(zone)) return null
  return { from: minutes(fromHour, fromMinute), until: minutes(untilHour, untilMinute), zone }
}

export const isQuiet = ({ from, until, zone }: QuietHours, at: number): boolean => {
  const parts = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone })
    .formatToParts(at)
    .filter(({ type }) => type === "hour" || type === "minute")
  const now = minutes(parts[0]?.value, parts[1]?.value)
  return from <= until ? from <= now && now < until : from <= now || now < until
}

const minutes = (hour = "0", minute = "0"): number => 60 * Number(hour) + Number(minute)

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone }).format()
    return true
  } catch {
    return false
  }
}
