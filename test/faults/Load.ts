/**
 * The load of a round: users who are sent messages and verified in many ways, each number by one journey of its own.
 */
import type { SeededRandom } from "@watchword/store/checks"
import { setTimeout as delay } from "node:timers/promises"
import type { Asking } from "./Asking.ts"
import type { Arrivals } from "./Arrivals.ts"
import type { Carrier } from "./peers/carrier.ts"
import type { Peers } from "./Peers.ts"
import { MOST_OF_DEVICE } from "./Site.ts"
import { randomOf, weighed } from "./seeds.ts"

type Random = SeededRandom

interface Journey {
  readonly number: string
  readonly random: Random
  readonly asking: Asking
  readonly arrivals: Arrivals
  readonly carrier: Pick<Carrier, "write">
}

/** Journeys begin within so many milliseconds. */
export const SPREAD = 1_300

/** The numbers of a round, which tell it again. */
export const numberOf = (round: number, nth: number): string =>
  `+49151${String(round).padStart(4, "0")}${String(nth).padStart(4, "0")}`

/** The round of a number. */
export const roundOf = (number: string): number => Number(number.slice(6, 10))

/** Runs the journeys of a round to their ends. */
export const runLoad = async (
  round: number,
  seed: number,
  journeys: number,
  asking: Asking,
  { arrivals, carrier }: Pick<Peers, "arrivals" | "carrier">
): Promise<void> => {
  const all = Array.from({ length: journeys }, async (_, nth) => {
    const number = numberOf(round, nth + 10)
    const random = randomOf(seed, number)
    await delay(random.below(SPREAD))
    await weighed(random, JOURNEYS)({ number, random, asking, arrivals, carrier })
  })
  const hammered = numberOf(round, 1)
  await Promise.all([...all, hammer({ number: hammered, random: randomOf(seed, hammered), asking, arrivals, carrier })])
}

const newCode = (random: Random): string => String(10_000_000 + random.below(90_000_000))

const isOften = (random: Random, percent: number): boolean => random.below(100) < percent

const text = async ({ arrivals, asking, number, random }: Journey): Promise<void> => {
  const body = {
    to: number,
    text: `Your code is ${newCode(random)}.${isOften(random, 15) ? " Thank you.".repeat(20) : ""}`
  }
  const sent = await asking.ask(number, "/sms", body, isOften(random, 60))
  if (sent.key !== null && isOften(random, 20)) await asking.again(sent)
  if (sent.status !== 200 || !isOften(random, 50)) return
  await arrivals.code(number, 1_000)
  await asking.ask(number, "/sms/webhook", { id: sent.answer["messageId"], status: "delivered" })
}

const chat = async ({ arrivals, asking, number, random }: Journey): Promise<void> => {
  if (isOften(random, 20)) await asking.ask(number, "/chatgw/check-send-ability", { to: number })
  const sent = await asking.ask(number, "/chatgw", { to: number, code: newCode(random) }, isOften(random, 60))
  if (sent.status !== 200) return
  if (isOften(random, 25)) {
    await delay(random.below(300))
    await asking.ask(number, "/chatgw/revoke-verification", { request_id: sent.answer["request_id"] })
  } else if (isOften(random, 40)) {
    const code = await arrivals.code(number, 1_000)
    await asking.ask(number, "/chatgw/check-verification-status", { request_id: sent.answer["request_id"], code })
  }
}

const bizchat = async ({ asking, number, random }: Journey): Promise<void> => {
  const body = { to: number, text: `Your code is ${newCode(random)}.` }
  const sent = await asking.ask(number, "/bizchat/otp", body, isOften(random, 60))
  if (sent.status !== 200 || !isOften(random, 30)) return
  await asking.ask(number, "/bizchat/webhook", { uuid: sent.answer["uuid"], status: "Success" })
}

const call = async ({ asking, number, random }: Journey): Promise<void> => {
  const body = { callee: number, max_ring_time: 1 + random.below(2) }
  const called = await asking.ask(number, "/call/flash", body, isOften(random, 60))
  if (called.status !== 200 || !isOften(random, 30)) return
  await asking.ask(number, "/call/flash/webhook", { uuid: called.answer["uuid"], status: "Success" })
}

/** More sends of one device at once than the guard lets through. */
const hammer = async ({ asking, number, random }: Journey): Promise<void> => {
  await delay(random.below(SPREAD))
  const device = `device-${number.slice(1)}`
  await Promise.all(
    Array.from({ length: MOST_OF_DEVICE * 3 }, async () => {
      await delay(random.below(200))
      await asking.ask(number, "/sms", { to: number, text: `Your code is ${newCode(random)}.`, client_ref: device })
    })
  )
}

const list = async ({ asking, number, random }: Journey): Promise<void> => {
  for (let nth = 0; nth < 4; nth++) {
    const path = random.oneOf(["/sms/sdr", "/chatgw/tdr", "/bizchat/wdr", "/call/flash/cdr", "/verifications/list"])
    await asking.ask(number, path, { rows_per_page: 1 + random.below(100), page: 1 + random.below(3) })
    await delay(random.below(300))
  }
}

const STEPS: ReadonlyArray<readonly [number, string]> = [
  [5, "sms"],
  [3, "chatgw"],
  [2, "bizchat"],
  [3, "call"]
]

const verification = async (journey: Journey): Promise<void> => {
  const { asking, number, random } = journey
  const attempts = 1 + random.below(5)
  const body = {
    to: number,
    workflow: Array.from({ length: 1 + random.below(3) }, () => ({
      channel: weighed(random, STEPS),
      timeout: 10 + random.below(4)
    })),
    code_length: 8,
    ttl: random.oneOf([60, 600]),
    max_checks: attempts,
    max_sends: 1 + random.below(4),
    metadata: { round: String(roundOf(number)) }
  }
  const start = () => asking.ask(number, "/verifications", body, isOften(random, 60))
  const [started] = await Promise.all([start(), ...(isOften(random, 10) ? [start()] : [])])
  const id = started.answer["id"]
  if (started.status !== 200 || typeof id !== "string") return
  await weighed(random, VERIFIED)({ ...journey, id, attempts })
}

/** A verification whose user writes first, or whose text someone else sends. */
const userFirst = async (journey: Journey): Promise<void> => {
  const { asking, carrier, number, random } = journey
  const reply = isOften(random, 50)
  const body = {
    to: number,
    workflow: [
      { channel: "receive", by: ["sms"], timeout: 30, reply },
      { channel: "sms", timeout: 12 }
    ],
    code_length: 8,
    ttl: random.oneOf([60, 600]),
    max_sends: 1 + random.below(3),
    metadata: { round: String(roundOf(number)) }
  }
  const started = await asking.ask(number, "/verifications", body, isOften(random, 60))
  const { id, present } = started.answer
  const [form] = Array.isArray(present) ? present : []
  const text: unknown = form?.text
  if (started.status !== 200 || typeof id !== "string" || typeof text !== "string") return
  const write = (from = number) => carrier.write({ verification: id, from, text })
  await delay(random.below(300))
  const texts = weighed(random, WRITERS).map((isOwn) => write(isOwn ? number : STRANGER))
  await Promise.race([Promise.all(texts), delay(2_500)])
  if (reply && isOften(random, 80)) await right({ ...journey, id, attempts: 5 })
  if (isOften(random, 30)) await asking.ask(number, `/verifications/${id}/next`, {})
  await asking.ask(number, `/verifications/${id}`, null)
}

/** A number that verifies nothing. */
const STRANGER = "+4915999999999"

/** Who writes: the user, or someone else. */
const WRITERS: ReadonlyArray<readonly [number, ReadonlyArray<boolean>]> = [
  [55, [true]],
  [15, [true, true]],
  [10, [false]],
  [10, [false, true]],
  [10, []]
]

interface Started extends Journey {
  readonly id: string
  readonly attempts: number
}

const guess = ({ asking, id, number, random }: Started, code: string | null) =>
  asking.ask(number, "/verifications/check", { verification_id: id, code: code ?? "00000000" }, isOften(random, 50))

const right = async (started: Started): Promise<void> => {
  const code = await started.arrivals.code(started.number, 2_500)
  if (code === null) return
  await delay(started.random.below(400))
  const checked = await guess(started, code)
  if (checked.key !== null && isOften(started.random, 40)) await started.asking.again(checked)
}

const rightTwice = async (started: Started): Promise<void> => {
  const code = await started.arrivals.code(started.number, 2_500)
  if (code !== null) await Promise.all([guess(started, code), guess(started, code), guess(started, code)])
}

const wrong = async (started: Started): Promise<void> => {
  await Promise.all(Array.from({ length: started.attempts + 3 }, () => guess(started, newCode(started.random))))
}

const wrongThenRight = async (started: Started): Promise<void> => {
  await guess(started, newCode(started.random))
  await right(started)
}

const cancel = async ({ asking, id, number, random }: Started): Promise<void> => {
  await delay(random.below(500))
  await asking.ask(number, `/verifications/${id}/cancel`, {})
}

const report = async ({ arrivals, asking, id, number, random }: Started): Promise<void> => {
  await arrivals.code(number, 2_000)
  await asking.ask(number, `/verifications/${id}/report`, { status: isOften(random, 70) ? "approved" : "failed" })
}

const next = async ({ asking, id, number, random }: Started): Promise<void> => {
  await delay(random.below(300))
  await asking.ask(number, `/verifications/${id}/next`, {})
  await asking.ask(number, `/verifications/${id}`, null)
}

const leave = async ({ asking, id, number }: Started): Promise<void> => {
  await asking.ask(number, `/verifications/${id}`, null)
}

const VERIFIED: ReadonlyArray<readonly [number, (started: Started) => Promise<void>]> = [
  [30, right],
  [10, rightTwice],
  [10, wrong],
  [10, wrongThenRight],
  [12, cancel],
  [8, report],
  [10, next],
  [20, leave]
]

const JOURNEYS: ReadonlyArray<readonly [number, (journey: Journey) => Promise<void>]> = [
  [26, text],
  [12, chat],
  [12, bizchat],
  [12, call],
  [26, verification],
  [8, userFirst],
  [4, list]
]
