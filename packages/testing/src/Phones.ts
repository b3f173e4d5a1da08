/**
 * Phones of a test: each answers as the test says, or waits for what its person does, who may also act first.
 */
import type { PhoneActed, PhoneCall, PhoneMessage, Presented, ReceiveForm, SetPhone } from "@watchword/client"
import * as Duration from "effect/Duration"
import type { Watchword } from "watchword"
import { NoMessage } from "./Inbox.ts"
import { millisOf } from "./internal/millisOf.ts"
import { numberOf } from "./internal/numberOf.ts"
import * as realTimers from "./internal/realTimers.ts"
import type { ChannelName } from "@watchword/sandbox/simulator"

/** The caller whose phones these are: an account in the sandbox. */
type Caller = { readonly account: string; readonly sandbox: true }

/** The message that a test waits for. */
export interface Arriving {
  /** Of any channel unless given. */
  readonly channel?: Exclude<ChannelName, "call">
  /** Seconds of real time to wait; 5 unless given. */
  readonly timeout?: number
}

/** How a phone acts first. */
export interface Acting {
  /** Whether its number stays hidden. False unless given. */
  readonly withheld?: boolean
  /** How sure its network is of the number; as sure as it can be unless given. */
  readonly assurance?: "claimed" | "network" | "account"
  /** Seconds of real time to wait for a verification that asks for it; 5 unless given. */
  readonly timeout?: number
}

/** How a phone writes: by an SMS or a message in WhatsApp. */
export interface Writing extends Acting {
  /** The form that the verification asks for first unless given. */
  readonly by?: "sms" | "bizchat"
}

/** A verification that waits for the user of a phone to act by a form. */
interface Asked {
  readonly id: string
  readonly verification: string
  readonly shown: Presented
}

const PATIENCE = 5

/** In milliseconds of real time, between two looks. */
const LOOK_EVERY = 10

export class Phones {
  readonly #service: Watchword
  readonly #caller: Caller

  /** @internal */
  constructor(service: Watchword, caller: Caller) {
    this.#service = service
    this.#caller = caller
  }

  /** Adds the phone of a number, or replaces its settings. Omitted settings have their defaults. */
  async add(number: string, settings: SetPhone = {}): Promise<Phone> {
    const phone = new Phone(this.#service, this.#caller, numberOf(number))
    await phone.set(settings)
    return phone
  }
}

/**
 * A phone of the sandbox, which the messages to its number reach by `kit.sandbox`.
 *
 * @example
 * ```ts
 * import { startWatchword } from "@watchword/testing"
 *
 * const kit = await startWatchword()
 * const phone = await kit.phones.add("+4915123456789", { mode: "manual" })
 * const workflow = [{ channel: "receive", by: ["bizchat"], timeout: 300, reply: false }] as const
 * const { id } = await kit.service.verify.start(kit.sandbox, { to: phone.number, workflow })
 * console.log((await phone.write()).result) // approved
 * console.log((await kit.service.verify.get(kit.sandbox, id)).status) // approved
 * await kit.dispose()
 * ```
 */
export class Phone {
  readonly number: string
  readonly #service: Watchword
  readonly #caller: Caller
  #settings: SetPhone = {}
  /** The ids of messages that `next` has returned. */
  readonly #given = new Set<string>()

  /** @internal */
  constructor(service: Watchword, caller: Caller, number: string) {
    this.#service = service
    this.#caller = caller
    this.number = number
  }

  /** Changes settings of the phone, and leaves the others. */
  async set(change: SetPhone): Promise<void> {
    const settings = { ...this.#settings, ...change }
    await this.#service.sandbox.setPhone(this.#caller, this.number, settings)
    this.#settings = settings
  }

  /** Takes the network away: messages are kept. */
  goOffline(): Promise<void> {
    return this.set({ offline: true })
  }

  /** Gives the network back: the messages that were kept arrive together. */
  goOnline(): Promise<void> {
    return this.set({ offline: false })
  }

  /** The messages on the phone, oldest first. */
  async messages(): Promise<ReadonlyArray<PhoneMessage>> {
    const { events } = await this.#service.sandbox.phoneEvents(this.#caller)
    return events.flatMap((event) =>
      event.type === "message" && event.message.to === this.number && event.message.state !== "kept"
        ? [event.message]
        : []
    )
  }

  /**
   * Returns the oldest message that it has not returned yet, and waits for one if necessary. Rejects with `NoMessage`
   * if no message comes in time.
   */
  next({ channel, timeout = PATIENCE }: Arriving = {}): Promise<PhoneMessage> {
    const isWanted = (message: PhoneMessage) => channel === undefined || message.channel === channel
    const look = async () => (await this.messages()).filter(isWanted)
    return this.#first(look, channel ?? "message", timeout, true)
  }

  /** The call that rings; waits for one where none does, and else rejects with `NoMessage`. */
  ringing({ timeout = PATIENCE }: Pick<Arriving, "timeout"> = {}): Promise<PhoneCall> {
    const look = async () => {
      const { events } = await this.#service.sandbox.phoneEvents(this.#caller)
      return events.flatMap((event) =>
        event.type === "call" && event.call.to === this.number && event.call.state === "ringing" ? [event.call] : []
      )
    }
    return this.#first(look, "call", timeout)
  }

  /** Has a message delivered, read or failed, as its carrier would report it. */
  post({ id }: Pick<PhoneMessage, "id">, event: "delivered" | "read" | "failed"): Promise<PhoneMessage> {
    return this.#service.sandbox.messageEvent(this.#caller, id, { event })
  }

  /** Answers the call that rings. */
  answer(): Promise<PhoneCall> {
    return this.#end("answer")
  }

  /** Declines the call that rings. */
  decline(): Promise<PhoneCall> {
    return this.#end("decline")
  }

  /** Has the network drop the call that rings. */
  drop(): Promise<PhoneCall> {
    return this.#end("hangup")
  }

  /**
   * Writes to the service: the text for which the newest verification of its number asks, or another one, to the number
   * that it names.
   */
  async write(text?: string, { by, timeout, ...how }: Writing = {}): Promise<PhoneActed> {
    const { shown } = await this.#asked(by === undefined ? ["sms", "bizchat"] : [by], timeout)
    const body = { to: shown.number ?? "", text: text ?? shown.text ?? "", ...how }
    return this.#service.sandbox.writeText(this.#caller, this.number, body)
  }

  /** Calls the service, which rejects the call: at the number for which a verification asks, or another one. */
  async call(to?: string, { timeout, ...how }: Acting = {}): Promise<PhoneActed> {
    const called = to ?? (await this.#asked(["call"], timeout)).shown.number ?? ""
    return this.#service.sandbox.placeCall(this.#caller, this.number, { to: called, ...how })
  }

  /** Signs in through the link of a verification. */
  async login({ timeout, withheld = false }: Omit<Acting, "assurance"> = {}): Promise<PhoneActed> {
    const { verification } = await this.#asked(["telegram_login"], timeout)
    return this.#service.sandbox.logIn(this.#caller, this.number, { verification_id: verification, withheld })
  }

  /** Removes the phone: the last digits of its number decide again how it answers. */
  remove(): Promise<void> {
    return this.#service.sandbox.removePhone(this.#caller, this.number)
  }

  async #end(event: "answer" | "decline" | "hangup"): Promise<PhoneCall> {
    const { id } = await this.ringing()
    return this.#service.sandbox.callEvent(this.#caller, id, { event })
  }

  /** The newest verification that waits for the user by one of some forms. */
  #asked(forms: ReadonlyArray<ReceiveForm>, timeout: number = PATIENCE): Promise<Asked> {
    const look = async (): Promise<ReadonlyArray<Asked>> => {
      const { events } = await this.#service.sandbox.phoneEvents(this.#caller)
      return events.toReversed().flatMap((event) => {
        if (event.type !== "verification" || event.verification.to !== this.number) return []
        const { id, present = [] } = event.verification
        const shown = present.find(({ by }) => forms.includes(by))
        return shown === undefined ? [] : [{ id: `${id} ${shown.by}`, verification: id, shown }]
      })
    }
    return this.#first(look, `verification that waits for ${forms.join(" or ")}`, timeout)
  }

  async #first<A extends { readonly id: string }>(
    look: () => Promise<ReadonlyArray<A>>,
    what: string,
    timeout: number,
    once = false
  ): Promise<A> {
    const patience = millisOf(timeout)
    let isOver = false
    const cancel = realTimers.within(patience, () => void (isOver = true))
    try {
      for (;;) {
        const found = (await look()).find(({ id }) => !this.#given.has(id))
        if (found !== undefined) {
          if (once) this.#given.add(found.id)
          return found
        }
        if (isOver) break
        await realTimers.pause(LOOK_EVERY)
      }
    } finally {
      cancel()
    }
    const shown = (await this.messages()).map(({ channel, state }) => `${channel}, ${state}`)
    const seen = shown.length === 0 ? "It shows nothing." : `It shows: ${shown.join("; ")}.`
    throw new NoMessage(
      `No ${what} came to the phone ${this.number} in ${Duration.format(Duration.millis(patience))}. ${seen}`
    )
  }
}
