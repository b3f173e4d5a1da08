/**
 * Shared parts of the SMPP gateway's tests.
 */
import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import type { Outcome } from "@watchword/send/Outcome"
import { encode } from "@watchword/sms/EncodedText"
import type { Message, Service, SmsEvent } from "@watchword/sms/SmsGateway"
import { type Options, type SmppOptionsError, fromUrls, make } from "@watchword/sms/smpp"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { eventually } from "../../../../test/live.ts"
import { type Script, type SmscOptions, smsc, type Smsc } from "@watchword/sandbox/smsc"
import { command } from "@watchword/sandbox/smsc"

/** A carrier that stops with the test. */
export const startCarrier = (behaviour?: Partial<Script>, options?: SmscOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => smsc({ script: behaviour, ...options })),
    (carrier) => Effect.promise(() => carrier.stop())
  )

/** A gateway that closes with the test, and at once. */
export const startGateway = (
  urls: string,
  options: Partial<Options> = {}
): Effect.Effect<Service, SmppOptionsError, Scope> =>
  Effect.flatMap(Effect.fromResult(fromUrls(urls)), (read) => make({ drain: 0, ...read, ...options }))

/** A gateway whose first link is bound. */
export const startBound = Effect.fnUntraced(function* (urls: string, options: Partial<Options> = {}) {
  const gateway = yield* startGateway(urls, options)
  yield* linkIs(gateway, 0, true)
  return gateway
})

/** Waits until one of a gateway's links is up or down. */
export const linkIs = (gateway: Service, index: number, up: boolean): Effect.Effect<void> =>
  eventually(Effect.map(gateway.health, (links) => links[index]?.up === up))

/** Lets the time of a timed test pass until something is so. */
export const passing = (condition: () => boolean): Effect.Effect<void> =>
  eventually(Effect.map(TestClock.adjust("500 millis"), condition))

export const until = (carrier: Smsc, condition: () => boolean): Effect.Effect<void> =>
  Effect.promise(() => carrier.until(condition))

/** Waits until the client has read everything that the carrier sent it. */
export const settled = (carrier: Smsc): Effect.Effect<void> =>
  Effect.promise(() => Promise.all([...carrier.bound].map((session) => session.request(command.enquire_link))))

let count = 0

/** A message to send; each has another reference. */
export const message = (text = "Your code is 123456", fields: Partial<Message> = {}): Message => ({
  delivery: DeliveryId.make("01KAJ3T8ZZ0000000000000000"),
  account: AccountId.make("acc_01KAJ3T8ZZ0000000000000000"),
  to: E164.make("+4915123456789"),
  from: Sender.make("Watchword"),
  text: encode(text),
  reference: ++count & 0xffff,
  ttl: null,
  hasCode: false,
  tlvs: [],
  ...fields
})

/** A client's answer, in short. */
export const told = (outcome: Outcome): string => {
  switch (outcome._tag) {
    case "Accepted":
    case "Refunded":
      return outcome._tag
    case "Incomplete":
    case "Rejected":
    case "Unknown":
      return `${outcome._tag} ${outcome.failure._tag}`
  }
}

/** The events of a gateway, as they come. */
export const collectEvents = Effect.fnUntraced(function* (
  gateway: Service,
  handle: (event: SmsEvent) => Effect.Effect<void, StoreError> = () => Effect.void
) {
  const events: Array<SmsEvent> = []
  yield* gateway.events((event) => {
    events.push(event)
    return handle(event)
  })
  const count = (n: number) => eventually(Effect.sync(() => events.length >= n))
  return { events, count }
})

export const receiptOf = (event: SmsEvent | undefined) => (event?._tag === "Receipt" ? event : undefined)
