/**
 * Subscribers' texts on their way to be handled: a few at a time, so that a flood of them leaves the database and the
 * hub of events to receipts. A text for which there is no room is sent again by its carrier.
 */
import type { StoreError } from "@watchword/store/StoreError"
import type { EventHub } from "@watchword/send/gateway"
import * as Exit from "effect/Exit"
import type { SmsEvent } from "../../SmsGateway.ts"

export interface Waiting {
  readonly octets: number
  /** Made when its turn comes. */
  readonly event: () => SmsEvent
  /** Called once: whether the event was handled. */
  readonly settle: (isHandled: boolean) => void
}

const MOST_HANDLED = 16
const MOST_WAITING = 5_000
const MOST_OCTETS = 8 * 1024 * 1024
/** Places at the head of the queue after which it is cut off. */
const SPENT = 1_000

export class TextQueue {
  readonly #hub: EventHub<SmsEvent, StoreError>
  #waiting: Array<Waiting> = []
  /** The first that waits. */
  #next = 0
  #handled = 0
  #octets = 0
  #isPumping = false

  constructor(hub: EventHub<SmsEvent, StoreError>) {
    this.#hub = hub
  }

  offer(text: Waiting): void {
    const isFull = this.#waiting.length - this.#next >= MOST_WAITING || this.#octets + text.octets > MOST_OCTETS
    if (isFull) return text.settle(false)
    this.#waiting.push(text)
    this.#octets += text.octets
    this.#pump()
  }

  #pump(): void {
    // A hub that is full answers at once.
    if (this.#isPumping) return
    this.#isPumping = true
    while (this.#handled < MOST_HANDLED && this.#next < this.#waiting.length) this.#handle(this.#waiting[this.#next++])
    this.#isPumping = false
    if (this.#next < SPENT && this.#next < this.#waiting.length) return
    this.#waiting = this.#waiting.slice(this.#next)
    this.#next = 0
  }

  #handle(text: Waiting | undefined): void {
    if (text === undefined) return
    this.#octets -= text.octets
    this.#handled++
    this.#hub.offer(text.event(), (handled) => {
      this.#handled--
      text.settle(Exit.isSuccess(handled))
      this.#pump()
    })
  }
}
