/**
 * The network behind the scripted gateways: chooses the outcome of each send, and brings messages to phones.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { codeIn } from "@watchword/schemas/Sms"
import type { Content } from "@watchword/send/pipeline"
import type * as Effect from "effect/Effect"
import type { Inbox, Message } from "../Inbox.ts"
import type { ChannelName } from "@watchword/sandbox/simulator"
import type { ManualClock } from "./ManualClock.ts"
import type { Chosen, Script } from "./Script.ts"

/** One message that a gateway is asked to send. */
export interface Sent {
  readonly delivery: DeliveryId
  readonly to: E164
  readonly from: string | null
}

export interface Parts {
  readonly clock: ManualClock
  readonly script: Script
  readonly inbox: Inbox
  /** Runs an effect of a gateway to its end. */
  readonly run: (effect: Effect.Effect<void, unknown>) => Promise<void>
}

export class Network {
  readonly #parts: Parts
  /** What phones will show, until the gateway is asked. */
  readonly #contents = new Map<DeliveryId, Content>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The time, in milliseconds since the epoch. */
  now(): number {
    return this.#parts.clock.currentTimeMillisUnsafe()
  }

  /** Receives the content that the phone will show for a send. */
  readonly observe = (delivery: DeliveryId, content: Content): void => {
    this.#contents.set(delivery, content)
  }

  /** Chooses the outcome of a send, and has its message arrive where it does: at once, or late. */
  carry<C extends ChannelName>(channel: C, { delivery, from, to }: Sent): Chosen<C> {
    const content = this.#contents.get(delivery)
    this.#contents.delete(delivery)
    const { inbox, script } = this.#parts
    const chosen = script.choose(channel, to)
    const { after, outcome } = chosen
    if (content === undefined || !ARRIVE.has(outcome)) {
      inbox.lose({ channel, to, outcome })
      return chosen
    }
    const { code, text } = content
    const message = { id: delivery, channel, to, from: content.from ?? from, text, code: code ?? codeOf(text) }
    const arrive = (): void => inbox.push({ ...message, at: new Date(this.now()) } satisfies Message)
    if (outcome === "late") this.#parts.clock.schedule(after, async () => arrive())
    else arrive()
    return chosen
  }

  /** Chooses the outcome of a question, which shows nothing on a phone. */
  probe(to: E164): Chosen<"chatgw"> {
    return this.#parts.script.chooseForProbe(to)
  }

  /** Runs an effect when the clock has advanced by so many milliseconds. */
  later(millis: number, effect: Effect.Effect<void, unknown>): void {
    this.#parts.clock.schedule(millis, () => this.#parts.run(effect))
  }
}

/** Outcomes by which a phone shows the message. */
const ARRIVE: ReadonlySet<string> = new Set(["delivered", "late", "silent", "dropped"])

const codeOf = (text: string | null): string => (text === null ? null : codeIn(text)) ?? ""
