/**
 * Honest starts of verifications under rules, by a seed: `node test/attacks/honest.ts` draws a million and prints how
 * many the rules refuse, and how much of each attack they let through. `--starts=20000 --seed=1` draws fewer.
 *
 * A month of an app with users in several countries, among them starts that rules take for an attack: many users of one
 * company's block of numbers at once, a mobile network that is one address, a country where few codes are entered, and
 * hours in which a country's carrier loses everything.
 */
import { parseArgs } from "node:util"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { MicroEuros } from "@watchword/schemas/Money"
import { DefaultRules, type Rules } from "@watchword/guards/Rules"
import { counting, facts, guardOf } from "../../packages/guards/test/counting.ts"
import { type Draws, drawsOf } from "../draws.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DAYS = 28
const BEGIN = Date.parse("2027-01-04T00:00:00.000Z")

interface Country {
  readonly share: number
  /** The share of codes that users enter. */
  readonly conversion: number
  readonly number: (draws: Draws) => string
}

const digits = (draws: Draws, count: number): string => String(draws.below(10 ** count)).padStart(count, "0")

const countries: ReadonlyArray<Country> = [
  { share: 0.42, conversion: 0.88, number: (draws) => `+4915${1 + draws.below(9)}${digits(draws, 8)}` },
  {
    share: 0.2,
    conversion: 0.82,
    number: (draws) => `+1${202 + 7 * draws.below(90)}${2 + draws.below(8)}${digits(draws, 6)}`
  },
  { share: 0.2, conversion: 0.75, number: (draws) => `+919${digits(draws, 9)}` },
  { share: 0.08, conversion: 0.7, number: (draws) => `+55119${digits(draws, 8)}` },
  // Few blocks of ten thousand, so that many users share one.
  { share: 0.05, conversion: 0.85, number: (draws) => `+354${6 + draws.below(2)}${digits(draws, 6)}` },
  { share: 0.05, conversion: 0.3, number: (draws) => `+234803${digits(draws, 7)}` }
]

interface Start {
  readonly at: number
  readonly to: E164
  readonly ip: string
  readonly isEntered: boolean
}

export interface Outcome {
  readonly starts: number
  /** Honest starts by the reason for which rules refused them, or would have. */
  readonly refused: ReadonlyMap<string, number>
  readonly noted: ReadonlyMap<string, number>
}

/** How long users take to enter a code, in milliseconds: half of them up to half a minute. */
const delay = (draws: Draws): number => 10_000 + 20_000 * -Math.log(1 - draws.next())

const address = (draws: Draws): string => `100.${64 + draws.below(64)}.${draws.below(256)}.${draws.below(256)}`

/** The starts of a day, in no order. */
const dayOf = (draws: Draws, day: number, count: number): ReadonlyArray<Start> => {
  const begin = BEGIN + day * DAY
  const start = (at: number, number: string, conversion: number, ip = address(draws)): Start => ({
    at,
    to: E164.make(number),
    ip,
    isEntered: draws.next() < conversion
  })
  const anywhere = () => begin + draws.next() * DAY
  const lost = { country: draws.below(countries.length), from: begin + draws.next() * (DAY - HOUR) }
  const ordinary = () => {
    let drawn = draws.next()
    const place = countries.findIndex(({ share }) => (drawn -= share) < 0)
    const { conversion, number } = countries[Math.max(0, place)] ?? FIRST
    const at = anywhere()
    const isLost = day % 7 === 3 && place === lost.country && at >= lost.from && at < lost.from + HOUR
    return start(at, number(draws), isLost ? 0 : conversion)
  }
  /** Users of one block of ten thousand numbers, within a time. */
  const burst = (users: number, within: number): ReadonlyArray<Start> => {
    const block = FIRST.number(draws).slice(0, -4)
    const from = anywhere()
    return Array.from({ length: users }, () => start(from + draws.next() * within, block + digits(draws, 4), 0.85))
  }
  const network = () => start(anywhere(), (countries[2] ?? FIRST).number(draws), 0.75, "192.0.2.1")
  return [
    ...Array.from({ length: Math.round(0.97 * count) }, ordinary),
    ...Array.from({ length: Math.round(0.02 * count) }, network),
    ...burst(30, MINUTE),
    ...(day % 3 === 0 ? burst(80, 20 * MINUTE) : []),
    ...(day === 9 ? burst(150, HOUR) : [])
  ]
}

const FIRST: Country = { share: 1, conversion: 0.88, number: (draws) => `+49151${digits(draws, 8)}` }

const asked = ({ ip, to }: Pick<Start, "ip" | "to">) =>
  facts({ to, clientIp: ip, use: "verifications", price: MicroEuros.make(0) })

/** Honest starts under rules. A refused user does not try again, and a block lasts as long as the rules say. */
export const honest = (rules: Rules, { seed = 1, starts = 1_000_000 } = {}): Outcome => {
  const draws = drawsOf(seed)
  const guard = blocking(rules)
  const refused = new Map<string, number>()
  const noted = new Map<string, number>()
  let made = 0
  for (let day = 0; day < DAYS; day++) {
    const due: Array<{ readonly at: number; readonly run: () => void }> = []
    for (const start of dayOf(draws, day, starts / DAYS)) {
      made++
      const entered = start.at + delay(draws)
      let isSent = false
      due.push({
        at: start.at,
        run: () => {
          const found = guard.start(start)
          isSent = found.refused.length === 0
          for (const reason of found.refused) refused.set(reason, (refused.get(reason) ?? 0) + 1)
          for (const reason of found.noted) noted.set(reason, (noted.get(reason) ?? 0) + 1)
        }
      })
      if (start.isEntered) due.push({ at: entered, run: () => (isSent ? guard.entered(start, entered) : undefined) })
    }
    for (const { run } of due.toSorted((a, b) => a.at - b.at)) run()
  }
  return { starts: made, refused, noted }
}

/** A guard that remembers the places that it has blocked. */
const blocking = (rules: Rules) => {
  const blocks = new Map<string, { readonly until: number; readonly by: "pumping" }>()
  const guard = counting(guardOf(rules, { blocks: [blocks] }))
  const lasts = rules.pumping === undefined ? 0 : HOUR * Number.parseInt(rules.pumping.block)
  return {
    start: (start: Pick<Start, "at" | "ip" | "to">) => {
      const decision = guard.send(asked(start), start.at)
      for (const place of decision.blocks) blocks.set(place, { until: start.at + lasts, by: "pumping" })
      return decision
    },
    entered: (start: Start, at: number) => guard.verify(asked(start), at)
  }
}

/** The codes that are sent, of a thousand to each kind of numbers within an hour, none of which is entered. */
export const pumped = (rules: Rules): ReadonlyArray<readonly [attack: string, sent: number]> => {
  const draws = drawsOf(2)
  const play = (number: () => string, ip: (index: number) => string): number => {
    const guard = blocking(rules)
    return Array.from({ length: 1_000 }, (_, index) =>
      guard.start({ at: BEGIN + index * 3_600, to: E164.make(number()), ip: ip(index) })
    ).filter(({ refused }) => refused.length === 0).length
  }
  const sameBlock = () => `+23480312${digits(draws, 5)}`
  return [
    ["one expensive prefix, from one address", play(sameBlock, () => "198.18.0.1")],
    ["one expensive prefix, from 1000 addresses", play(sameBlock, (index) => `198.18.${index >> 8}.${index & 255}`)],
    [
      "many prefixes of a country, from a /48 of IPv6",
      play(
        () => `+234803${digits(draws, 7)}`,
        (index) => `2001:db8:7:${index.toString(16)}::1`
      )
    ]
  ]
}

/** The default rules without what looks at whether codes are entered, and with the limit by address of before. */
const bare: Rules = {
  action: "deny",
  limits: [
    { name: "number", by: ["to"], rates: ["1/30s", "5/1h", "10/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20/1h"] }
  ]
}

/** The rules of docs/attacks.md for a small service in one region, without its list of countries. */
const narrow: Rules = {
  action: "deny",
  limits: [
    { name: "number", by: ["to"], rates: ["5/1h", "10/1d"] },
    { name: "ip", by: ["client_ip"], rates: ["20/1h"] },
    { name: "prefix", by: ["to_prefix"], rates: ["100/1h"] }
  ],
  pumping: {
    country: { floor: 20, share: 0.2, window: "1d" },
    prefix: { floor: 5, share: 0.3, window: "1h" },
    block: "12h"
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { starts: { type: "string" }, seed: { type: "string" } } })
  const drawn = { starts: Number(values.starts ?? 1_000_000), seed: Number(values.seed ?? 1) }
  for (const [name, rules] of Object.entries({ default: DefaultRules, bare, narrow })) {
    const { refused, starts } = honest(rules, drawn)
    const reasons = [...refused].map(([reason, count]) => `${reason} ${count}`).join(", ") || "none"
    const sent = pumped(rules).map(([attack, count]) => `${attack}: ${count}`)
    console.log(`${name}: of ${starts} honest starts refused: ${reasons}; of 1000 codes sent to ${sent.join(", ")}`)
  }
}
