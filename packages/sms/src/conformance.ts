/**
 * What every SMS gateway has to do, as cases that any test runner can run. They run on the real clock, and
 * take as long as the gateway's receipts and time limits do.
 *
 * @example
 * ```ts
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { SmsGateway } from "@watchword/sms/SmsGateway"
 * import * as SmsSandbox from "@watchword/sms/SmsSandbox"
 * import { suite } from "@watchword/sms/conformance"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const delivered = E164.make("+4915123456789")
 * const numbers = { delivered, undelivered: null, refused: null, silent: null, late: null }
 * const gateway = Layer.effect(SmsGateway, SmsSandbox.make)
 * for (const { check } of suite({ gateway, numbers })) await Effect.runPromise(check)
 * ```
 */
import { nextDeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import type { Outcome } from "@watchword/send/Outcome"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { encode } from "./EncodedText.ts"
import { type Message, type Service, type SmsEvent, SmsGateway } from "./SmsGateway.ts"

/** How a gateway is tried. */
export interface Harness {
  /** Opens a gateway that can send, and whatever it talks to. */
  readonly gateway: Layer.Layer<SmsGateway>
  /** Numbers, by what becomes of a message to them; null for what cannot be brought about. */
  readonly numbers: {
    /** Accepted; a receipt for each part says `delivered`. */
    readonly delivered: E164
    /** Accepted; a receipt for each part says `undelivered` or `failed`. */
    readonly undelivered: E164 | null
    /** Refused, and certainly not sent. */
    readonly refused: E164 | null
    /** Never answered. */
    readonly silent: E164 | null
    /** Accepted, but only after `send` has given up waiting. */
    readonly late: E164 | null
  }
  /** How long an answer or a receipt may take at most; 5 seconds unless it is given. */
  readonly patience?: Duration.Input
}

export interface Case {
  readonly name: string
  /** Dies with an explanation when the gateway does not do what the port says. */
  readonly check: Effect.Effect<void>
}

/** The cases that a gateway can be tried with. */
export const suite = (harness: Harness): ReadonlyArray<Case> => {
  const patience = Duration.toMillis(harness.patience ?? "5 seconds")
  return checks(harness.numbers).map(({ name, program }) => ({
    name,
    check: Effect.scoped(
      Effect.flatMap(SmsGateway, (gateway) => program({ gateway, listen: listen(gateway, patience) })).pipe(
        Effect.provide(Layer.fresh(harness.gateway))
      )
    )
  }))
}

interface Check {
  readonly name: string
  readonly program: (bench: Bench) => Effect.Effect<void, never, Scope.Scope>
}

/** What a case works with. */
interface Bench {
  readonly gateway: Service
  readonly listen: (handle?: Handle) => Effect.Effect<Heard, never, Scope.Scope>
}

const checks = ({ delivered, undelivered, refused, silent, late }: Harness["numbers"]): ReadonlyArray<Check> => [
  {
    name: "send: a message of one part is accepted under one ref",
    program: Effect.fnUntraced(function* ({ gateway }) {
      const refs = refsOf(yield* gateway.send(yield* message(delivered)))
      same("number of refs", refs.length, 1)
    })
  },
  {
    name: "send: a message of several parts is accepted under a ref for each",
    program: Effect.fnUntraced(function* ({ gateway }) {
      const refs = refsOf(yield* gateway.send(yield* message(delivered, THREE_PARTS)))
      same("number of refs", refs.length, 3)
      same("number of different refs", new Set(refs).size, 3)
    })
  },
  {
    name: "send: a hundred messages at once have answers and receipts of their own",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const heard = yield* listen()
      const one = Effect.flatMap(message(delivered), gateway.send)
      const outcomes = yield* Effect.all(
        Array.from({ length: 100 }, () => one),
        { concurrency: "unbounded" }
      )
      const refs = outcomes.flatMap(refsOf)
      same("number of different refs", new Set(refs).size, 100)
      yield* heard.until("a receipt for each message", () => refs.every((ref) => heard.receipts(ref).length > 0))
    })
  },
  {
    name: "events: each part has a receipt, which names no other message",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const heard = yield* listen()
      const sent = yield* message(delivered, THREE_PARTS)
      const refs = refsOf(yield* gateway.send(sent))
      yield* heard.until("a receipt for each part", () => refs.every((ref) => heard.receipts(ref).length > 0))
      for (const receipt of refs.flatMap(heard.receipts)) {
        same("status", receipt.status, "delivered")
        same("recipient", receipt.to ?? sent.to, sent.to)
        same("reference", receipt.reference ?? sent.reference, sent.reference)
      }
    })
  },
  {
    name: "events: what comes before a handler is there waits for it",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const [ref = ""] = refsOf(yield* gateway.send(yield* message(delivered)))
      yield* Effect.sleep("1500 millis")
      const heard = yield* listen()
      yield* heard.until("the receipt", () => heard.receipts(ref).length > 0)
    })
  },
  {
    name: "events: what could not be handled comes again",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      let failures = 2
      const heard = yield* listen(() => (failures-- > 0 ? Effect.fail(unavailable) : Effect.void))
      const [ref = ""] = refsOf(yield* gateway.send(yield* message(delivered)))
      yield* heard.until("the receipt for the third time", () => heard.receipts(ref).length >= 3)
    })
  },
  {
    name: "events: a handler whose scope is closed hears nothing more, and another takes its place",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const scope = yield* Scope.make()
      const gone = yield* Scope.provide(listen(), scope)
      yield* Scope.close(scope, Exit.void)
      const heard = yield* listen()
      const [ref = ""] = refsOf(yield* gateway.send(yield* message(delivered)))
      yield* heard.until("the receipt", () => heard.receipts(ref).length > 0)
      same("number of events that the first handler heard", gone.events.length, 0)
    })
  },
  {
    name: "links: have names of their own, and one of them is up",
    program: Effect.fnUntraced(function* ({ gateway }) {
      const links = yield* gateway.links
      same("number of different names", new Set(links.map(({ name }) => name)).size, links.length)
      same(
        "whether one is up",
        links.some(({ up }) => up),
        links.length > 0
      )
    })
  },
  ...possible(undelivered, (to) => ({
    name: "events: a message that does not arrive has a receipt that says so",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const heard = yield* listen()
      const [ref = ""] = refsOf(yield* gateway.send(yield* message(to)))
      const isBad = ({ status }: Receipt) => status === "undelivered" || status === "failed"
      yield* heard.until("the receipt", () => heard.receipts(ref).some(isBad))
    })
  })),
  ...possible(refused, (to) => ({
    name: "send: a message that is refused is rejected, and nothing is heard of it",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const heard = yield* listen()
      const outcome = yield* gateway.send(yield* message(to))
      same("outcome", outcome._tag, "Rejected")
      const [ref = ""] = refsOf(yield* gateway.send(yield* message(delivered)))
      yield* heard.until("the receipt of another message", () => heard.receipts(ref).length > 0)
      same("number of events", heard.events.length, heard.receipts(ref).length)
    })
  })),
  ...possible(silent, (to) => ({
    name: "send: a message that is not answered is unknown",
    program: Effect.fnUntraced(function* ({ gateway }) {
      const outcome = yield* gateway.send(yield* message(to))
      same("outcome", outcome._tag, "Unknown")
    })
  })),
  ...possible(late, (to) => ({
    name: "events: a late answer settles a message that was unknown",
    program: Effect.fnUntraced(function* ({ gateway, listen }) {
      const heard = yield* listen()
      const sent = yield* message(to)
      const outcome = yield* gateway.send(sent)
      same("outcome", outcome._tag, "Unknown")
      const settling = () =>
        heard.events.find((event) => event._tag === "LateOutcome" && event.delivery === sent.delivery)
      yield* heard.until("the late outcome", () => settling() !== undefined)
      const event = settling()
      same("late outcome", event?._tag === "LateOutcome" ? event.outcome._tag : event?._tag, "Accepted")
    })
  }))
]

const possible = (number: E164 | null, check: (number: E164) => Check): ReadonlyArray<Check> =>
  number === null ? [] : [check(number)]

const THREE_PARTS = "Your code is 123456. ".repeat(20)

let reference = 0

const message = (to: E164, text = "Your code is 123456"): Effect.Effect<Message> =>
  Effect.map(Clock.currentTimeMillis, (at) => ({
    delivery: nextDeliveryId(at),
    to,
    from: Sender.make("Watchword"),
    text: encode(text),
    reference: ++reference & 0xffff
  }))

const refsOf = (outcome: Outcome): ReadonlyArray<string> => {
  same("outcome", outcome._tag, "Accepted")
  return outcome._tag === "Accepted" ? outcome.refs : []
}

type Handle = (event: SmsEvent) => Effect.Effect<void, StoreError>
type Receipt = Extract<SmsEvent, { readonly _tag: "Receipt" }>

/** The events that a handler was given. */
interface Heard {
  readonly events: ReadonlyArray<SmsEvent>
  /** Those that are receipts of the part with this ref, by whatever spelling. */
  readonly receipts: (ref: string) => ReadonlyArray<Receipt>
  /** Waits until something was heard. */
  readonly until: (what: string, condition: () => boolean) => Effect.Effect<void>
}

const listen =
  (gateway: Service, patience: number): Bench["listen"] =>
  (handle = () => Effect.void) => {
    const events: Array<SmsEvent> = []
    const heard: Heard = {
      events,
      receipts: (ref) => events.filter((event) => event._tag === "Receipt").filter(({ refs }) => refs.includes(ref)),
      until: Effect.fnUntraced(function* (what, condition) {
        const until = (yield* Clock.currentTimeMillis) + patience
        while (!condition()) {
          if ((yield* Clock.currentTimeMillis) > until) throw new Error(`waited in vain for ${what}`)
          yield* Effect.sleep("10 millis")
        }
      })
    }
    const record: Handle = (event) =>
      Effect.suspend(() => {
        events.push(event)
        return handle(event)
      })
    return Effect.as(gateway.events(record), heard)
  }

const unavailable = new StoreError({ reason: "Unavailable", message: "The test's database is away." })

const same = (about: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${about}: expected ${String(expected)}, found ${String(actual)}`)
}
