/**
 * The customers of a shop that sends codes on all channels through the typed client. If the answer to a request is
 * lost, the request is repeated with its idempotency key, so it sends at most once.
 */
import { setTimeout as delay } from "node:timers/promises"
import { type Client, type KeyedOptions, createClient, isWatchwordError } from "@watchword/client"
import type { Clock } from "./Clock.ts"
import type { Front } from "./Front.ts"
import { CHANNELS, type Channel, type Phones } from "./Phones.ts"
import { PUBLIC_URL } from "./Service.ts"
import { below, next } from "./draws.ts"

/** A send that was answered with 200. */
export interface Acknowledged {
  readonly channel: Channel
  readonly number: string
}

export interface Shop {
  readonly account: string
  readonly key: string
}

/** The share of users who enter their code. */
export const ENTERED = 0.92

/**
 * How often a request is repeated with its key, in addition to the client's own retries: for longer than the minute
 * after which another server takes over a verification whose server was killed.
 */
const REPEATS = 25

/** Workflows of verifications, by the channel of their first step. */
const WORKFLOWS = [
  [step("sms"), step("call")],
  [step("chatgw"), step("sms")],
  [step("bizchat"), step("sms")],
  [step("call"), step("sms")]
]

function step(channel: Channel) {
  return { channel, timeout: 20 }
}

export class Customers {
  readonly client: Client
  readonly acknowledged: Array<Acknowledged> = []
  /** Numbers whose verification was approved. */
  readonly approved: Array<string> = []
  /** Sends and starts by outcome: `answered`, `refused`, or `unanswered` after all repeats. */
  readonly outcomes = { answered: 0, refused: 0, unanswered: 0 }
  private readonly phones: Phones
  private readonly underWay = new Set<Promise<void>>()
  private timer: NodeJS.Timeout | null = null

  constructor(shop: Shop, front: Front, phones: Phones) {
    this.phones = phones
    this.client = createClient({
      baseUrl: `${PUBLIC_URL}/v1`,
      accountId: shop.account,
      apiKey: shop.key,
      fetch: front.fetch,
      timeout: 20
    })
  }

  /**
   * Begins to send.
   *
   * @param busiest sends a second in the busiest hour
   */
  begin(clock: Clock, busiest: number): void {
    const every = 100
    let due = 0
    this.timer = setInterval(() => {
      due += (busiest * share(clock.hours) * every) / 1000
      for (; due >= 1; due--) this.track(this.arrive())
    }, every)
  }

  /** Sends `size` texts at once. */
  burst(size: number): void {
    for (let sent = 0; sent < size; sent++) this.track(this.send("sms", newNumber()))
  }

  /** Stops sending, and waits for the requests in flight. */
  async end(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer)
    while (this.underWay.size > 0) await Promise.all(this.underWay)
  }

  private track(journey: Promise<void>): void {
    this.underWay.add(journey)
    void journey.finally(() => this.underWay.delete(journey))
  }

  /** A customer arrives and is sent a code in one of the possible ways. */
  private arrive(): Promise<void> {
    const number = newNumber()
    if (next() < 0.4) return this.verify(number)
    return this.send(pick(CHANNELS), number)
  }

  private async send(channel: Channel, number: string): Promise<void> {
    const { client } = this
    const code = newCode()
    const text = `Your code is ${code}`
    const sends: Readonly<Record<Channel, (options: KeyedOptions) => Promise<() => Promise<unknown>>>> = {
      sms: async (options: KeyedOptions) => {
        const { messageId: id } = await client.sms.send({ to: number, text }, options)
        return () => client.sms.report({ id, status: "delivered" })
      },
      call: async (options: KeyedOptions) => {
        const { uuid } = await client.call.flash({ callee: number, max_ring_time: 2 }, options)
        return () => client.call.report({ uuid, status: "Success" })
      },
      chatgw: async (options: KeyedOptions) => {
        const { uuid: id } = await client.chatgw.send({ to: number, code }, options)
        return () => client.chatgw.report({ id, status: "Success" })
      },
      bizchat: async (options: KeyedOptions) => {
        const { uuid } = await client.bizchat.send({ to: number, text }, options)
        return () => client.bizchat.report({ uuid, status: "Success" })
      }
    }
    const report = await this.asked(sends[channel])
    if (report === null) return
    this.acknowledged.push({ channel, number })
    if ((await this.phones.code(number, 20_000)) !== null && next() < ENTERED) await this.asked(report, false)
  }

  private async verify(number: string): Promise<void> {
    const { client } = this
    const workflow = pick(WORKFLOWS)
    const started = await this.asked((options) => client.verify.start({ to: number, workflow }, options))
    if (started === null) return
    const code = await this.phones.code(number, 30_000)
    if (code === null || next() > ENTERED) return
    await delay(300 + next() * 2000)
    const checked = await this.asked((options) => client.verify.check(started.id, { code }, options), false)
    if (checked?.valid === true) this.approved.push(number)
  }

  /** Sends a request, and repeats it with the same key while its answer is lost; null if the service refuses. */
  private async asked<A>(ask: (options: KeyedOptions) => Promise<A>, counts = true): Promise<A | null> {
    const idempotencyKey = crypto.randomUUID()
    const count = (outcome: keyof Customers["outcomes"]): void => {
      if (counts) this.outcomes[outcome]++
    }
    for (let repeats = 0; repeats <= REPEATS; repeats++) {
      try {
        const answer = await ask({ idempotencyKey })
        count("answered")
        return answer
      } catch (error) {
        if (!isWatchwordError(error)) throw error
        const isLost = error.code === "CONNECTION_FAILED" || error.code === "TIMED_OUT"
        if (!isLost && !(error.code === "CONFLICT" && error.reason === "in_flight")) {
          count("refused")
          return null
        }
        await delay(500)
      }
    }
    count("unanswered")
    return null
  }
}

/** How busy an hour is, as a share of the busiest hour. */
const share = (hours: number): number => 0.25 + 0.75 * Math.sin((Math.PI * Math.min(24, hours)) / 24) ** 2

const pick = <A>(values: ReadonlyArray<A>): A => {
  const value = values[below(values.length)]
  if (value === undefined) throw new Error("there is nothing to choose from")
  return value
}

const newCode = (): string => String(below(1_000_000)).padStart(6, "0")

const used = new Set<string>()

/** A German mobile number that no earlier customer had. */
const newNumber = (): string => {
  for (;;) {
    const number = `+49151${String(below(100_000_000)).padStart(8, "0")}`
    // The chat platforms do not know numbers that end in 0003.
    if (used.has(number) || number.endsWith("0003")) continue
    used.add(number)
    return number
  }
}
