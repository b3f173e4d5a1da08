/**
 * A night of a service, by a seed: an honest day and the same hours of a week ago, two attacks, one number that is
 * flooded, and a carrier that slows down and then loses texts. The page Now is read every five minutes.
 *
 * `node test/night/night.ts` prints the problems with their times, the table of docs/operators/night.md.
 */
import type { Problem } from "../../packages/operator/src/insight/overview/Problem.ts"
import { type Draws, drawsOf } from "../draws.ts"
import { Agenda } from "./Agenda.ts"
import { type Shop, open } from "./Shop.ts"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR

/** The day begins in the morning, and the night ends the next one. */
const BEGIN = Date.parse("2027-02-03T06:00:00.000Z")
const END = BEGIN + 26 * HOUR
const LOOKS_EVERY = 5 * MINUTE

/** A time of the night, such as `at("22:30")`; times before six are of its second day. */
const at = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number)
  const ofDay = BEGIN + (hours - 6) * HOUR + minutes * MINUTE
  return ofDay < BEGIN ? ofDay + 24 * HOUR : ofDay
}

/** A problem that Now has shown. */
export interface Shown extends Pick<Problem, "about" | "kind" | "severity" | "text"> {
  readonly from: number
  /** When it was there no more; null if it outlasts the night. */
  readonly until: number | null
}

export interface Night {
  readonly shown: ReadonlyArray<Shown>
  /** Of each attack the codes that left, and the starts that guards refused. */
  readonly attacks: Readonly<Record<string, { sent: number; refused: number }>>
  /** Honest users who were refused. */
  readonly refusedUsers: number
  readonly users: number
}

const digits = (draws: Draws, count: number): string => String(draws.below(10 ** count)).padStart(count, "0")

const address = (draws: Draws): string => `100.${64 + draws.below(64)}.${draws.below(256)}.${draws.below(256)}`

/** Starts in an hour: the most in the afternoon. */
const busy = (time: number): number => 60 + 80 * Math.max(0, Math.sin(((((time / HOUR) % 24) - 8) / 12) * Math.PI))

const honest = (draws: Draws): string => {
  const place = draws.next()
  if (place < 0.85) return `+4915${1 + draws.below(9)}${digits(draws, 8)}`
  return place < 0.95 ? `+336${digits(draws, 8)}` : `+234706${digits(draws, 7)}`
}

const slowed = [at("03:00"), at("04:30")] as const
const lossy = [at("04:30"), at("05:30")] as const
const isIn = ([from, until]: readonly [number, number], time: number): boolean => time >= from && time < until

export const night = async (seed = 1): Promise<Night> => {
  const draws = drawsOf(seed)
  const agenda = new Agenda()
  const shop = await open(BEGIN - WEEK, agenda, (carrier, time) => ({
    after: carrier === "alpha" && isIn(slowed, time) ? 90 * SECOND : 2 * SECOND + draws.below(4_000),
    arrives: !(carrier === "alpha" && isIn(lossy, time) && draws.next() < 0.8)
  }))
  const users = { all: 0, refused: 0 }
  const attacks = {
    "one prefix of Nigeria": { sent: 0, refused: 0 },
    "all of Nigeria": { sent: 0, refused: 0 },
    "one number": { sent: 0, refused: 0 }
  }

  const user = async (): Promise<void> => {
    users.all += 1
    const time = shop.now()
    const to = honest(draws)
    const started = await shop.start(to, address(draws))
    if (started === null) return void (users.refused += 1)
    const isLost = to.startsWith("+49") && isIn(lossy, time) && draws.next() < 0.8
    const entersAt = time + 15 * SECOND + draws.below(45_000) + (isIn(slowed, time) ? 90 * SECOND : 0)
    if (!isLost && draws.next() < 0.85) agenda.add(entersAt, () => shop.check(started))
  }
  const attack = (name: keyof typeof attacks, from: string, count: number, every: number, to: () => string): void => {
    for (let index = 0; index < count; index++) {
      agenda.add(at(from) + index * every, async () => {
        const purpose = name === "one number" ? `p${index}` : "login"
        attacks[name][(await shop.start(to(), address(draws), purpose)) === null ? "refused" : "sent"] += 1
      })
    }
  }

  for (const begin of [BEGIN - WEEK, BEGIN]) {
    for (let time = begin; time < begin + (END - BEGIN); time += HOUR / busy(time)) agenda.add(time, user)
    for (let time = begin; time < begin + (END - BEGIN); time += MINUTE) agenda.add(time, shop.maintain)
  }
  attack("one prefix of Nigeria", "22:30", 300, 6 * SECOND, () => `+234803123${digits(draws, 4)}`)
  attack("all of Nigeria", "23:30", 300, 9 * SECOND, () => `+23481${digits(draws, 8)}`)
  attack("one number", "01:00", 60, 20 * SECOND, () => "+4915199999999")
  const now = watching(shop)
  for (let time = BEGIN + 12 * HOUR; time <= END; time += LOOKS_EVERY) agenda.add(time, now.look)

  for (let entry = agenda.next(); entry !== undefined && entry.at <= END; entry = agenda.next()) {
    shop.set(entry.at)
    await entry.run()
  }
  await shop.end()
  return { shown: now.shown(), attacks, users: users.all, refusedUsers: users.refused }
}

/** Notes when problems come and go. */
const watching = (shop: Shop) => {
  const shown: Array<{ -readonly [K in keyof Shown]: Shown[K] }> = []
  const look = async (): Promise<void> => {
    const problems = new Map((await shop.problems()).map((problem) => [`${problem.kind} ${problem.about}`, problem]))
    for (const known of shown) {
      if (known.until === null && !problems.delete(`${known.kind} ${known.about}`)) known.until = shop.now()
    }
    for (const { about, kind, severity, text } of problems.values()) {
      shown.push({ kind, about, severity, text, from: shop.now(), until: null })
    }
  }
  return { look, shown: (): ReadonlyArray<Shown> => shown }
}

const timeOf = (time: number | null): string => (time === null ? "" : new Date(time).toISOString().slice(11, 16))

/** The table of docs/operators/night.md. */
export const tableOf = ({ shown }: Night): string =>
  [
    "| from | until | problem | what Now said first |",
    "|---|---|---|---|",
    ...shown.map(
      ({ from, kind, severity, text, until }) =>
        `| ${timeOf(from)} | ${timeOf(until)} | \`${kind}\`${severity === "bad" ? ", bad" : ""} | ${text} |`
    )
  ].join("\n")

if (import.meta.main) {
  const result = await night()
  console.log(tableOf(result))
  console.log(JSON.stringify({ ...result, shown: result.shown.length }))
}
