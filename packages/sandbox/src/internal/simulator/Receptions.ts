/**
 * Phones of the sandbox: how the simulated networks of all channels treat a number that has one.
 *
 * Phones are settings of an account, which every process reads at most once a second. What becomes of a message is
 * decided when it is sent, and kept in details of its record: so any process can have it continue, by a person's event
 * or because its phone has changed. The last digits of a number without a phone choose its outcome, see `Outcomes.ts`.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { CallEvent, MessageEvent, PhoneSettings } from "@watchword/schemas/SandboxPhone"
import { BackgroundAllowed, forkBackground } from "@watchword/send/pipeline"
import { Settings } from "@watchword/store/Settings"
import type { Product } from "@watchword/schemas/Channel"
import type { Delivery, Details } from "@watchword/store/Delivery"
import { Store, about } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { phoneSettings as phones } from "../../phoneSettings.ts"

/** The phone of a number; null if it has no phone. */
export type PhoneOf = (account: AccountId, number: string) => Effect.Effect<PhoneSettings | null, StoreError>

/** Finds phones among the settings of accounts. */
export const finder: Effect.Effect<PhoneOf, never, Settings> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const { profile } = yield* Settings
  const book = profile((own) => own.all(phones))
  return (account, number) =>
    Effect.mapEager(book(account, clock.currentTimeMillisUnsafe()), (all) => all.get(number) ?? null)
})

const Fate = Schema.Literals(["delivered", "undelivered", "read"])

/** What becomes of a message once its carrier lets it continue. */
export type Fate = typeof Fate.Type

/** How the carrier of a phone has taken a message. */
export interface Reception {
  readonly fate: Fate
  /** Whether the carrier keeps it, so that the phone does not show it. */
  readonly isKept: boolean
  /**
   * When the carrier lets it continue by itself, in milliseconds since the epoch; null while it waits for a person or
   * the phone.
   */
  readonly dueAt: number | null
}

/** @param delay milliseconds that the carrier takes */
export const receive = ({ mode, offline }: PhoneSettings, fate: Fate, now: number, delay = 0): Reception => ({
  fate,
  isKept: offline || (mode === "auto" && delay > 0),
  dueAt: offline || mode === "manual" ? null : now + delay
})

// Details that no list of a channel names, and no record shows.
const FATE = "phone_fate"
const KEPT = "phone_kept"
const DUE = "phone_due"

/** The details of a record that keep how its message was taken. */
export const kept = ({ dueAt, fate, isKept }: Reception): Details => ({ [FATE]: fate, [KEPT]: isKept, [DUE]: dueAt })

const isFate = Schema.is(Fate)

/** How a phone's carrier has taken the message of a record; null if its number had no phone then. */
export const receptionOf = ({ details }: Pick<Delivery, "details">): Reception | null => {
  const { [DUE]: dueAt, [FATE]: fate, [KEPT]: isKept } = details
  return isFate(fate) ? { fate, isKept: isKept === true, dueAt: typeof dueAt === "number" ? dueAt : null } : null
}

/** The simulated network of a channel, as phones see it. */
export interface Network {
  /** The events that there are, for deliveries of any state. */
  readonly events: ReadonlyArray<MessageEvent | CallEvent>
  /** The events that may be posted for a delivery of the channel as it is now. */
  readonly accepts: (delivery: Delivery) => ReadonlyArray<MessageEvent | CallEvent>
  /** Has an event stored. A delivery that does not accept it stays as it is. */
  readonly post: (delivery: Delivery, event: MessageEvent | CallEvent) => Effect.Effect<void, StoreError>
  /**
   * Continues a message that waits for a phone, according to the phone's current settings; other messages stay as they
   * are.
   */
  readonly settle: (delivery: Delivery, phone: PhoneSettings | null) => Effect.Effect<void, StoreError>
}

/** The waiting messages of a channel. */
export interface Waiting {
  readonly settle: Network["settle"]
  /** The same by the phone that the number has now. */
  readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError>
  /** Has a message settled in time, once it is on the record. */
  readonly afterwards: (ref: string, reception: Reception) => Effect.Effect<void>
  /** Whether no more messages may wait: sends to phones are refused then. */
  readonly isFull: () => boolean
}

/** How many messages of a channel may be waiting in a process. */
const CAPACITY = 10_000

/** In milliseconds: until a message that is kept is looked at, because its phone may have changed while it was sent. */
const LOOK_AGAIN = 2_000

const AGAIN = Schedule.spaced("1 second")

/**
 * Messages wait as long as the scope lives; after it they are found by their records.
 *
 * @param act has the fate of a message reported
 */
export const wait = Effect.fnUntraced(function* (
  channel: Product,
  act: (delivery: Delivery, fate: Fate) => Effect.Effect<void, StoreError>
): Effect.fn.Return<Waiting, never, Settings | Store | Scope.Scope> {
  const store = yield* Store
  const phoneOf = yield* finder
  const scope = yield* Effect.scope
  const isAllowed = yield* BackgroundAllowed
  // Without background work, the request that sends is kept alive for as long as its host lets it.
  const fork = (looking: Effect.Effect<void>) =>
    isAllowed ? Effect.asVoid(Effect.forkIn(looking, scope)) : forkBackground(looking, scope)
  let waiting = 0

  const settle: Network["settle"] = Effect.fnUntraced(function* (delivery, phone) {
    const reception = receptionOf(delivery)
    if (reception === null) return
    const now = yield* Clock.currentTimeMillis
    switch (next(reception, phone, now)) {
      case "waits":
        return
      case "arrives":
        yield* store.report(about(delivery.id, now, { when: { [KEPT]: true }, details: { [KEPT]: false } }))
        return
      case "goes-on":
        yield* act(delivery, reception.fate)
    }
  })

  const resume = (delivery: Delivery) =>
    Effect.flatMap(phoneOf(delivery.account, delivery.to), (phone) => settle(delivery, phone))

  const look = (ref: string) =>
    Effect.flatMap(store.findByRef({ channel, ref }), Option.match({ onNone: () => Effect.void, onSome: resume }))

  /** Looks after so many milliseconds, again until it could. */
  const lookAfter = (ref: string, milliseconds: number) => {
    waiting++
    const looked = Effect.delay(Effect.ignore(Effect.retry(look(ref), AGAIN)), milliseconds)
    return fork(Effect.onExit(looked, () => Effect.sync(() => void waiting--)))
  }

  return {
    settle,
    resume,
    isFull: () => waiting >= CAPACITY,
    afterwards: (ref, { dueAt, isKept }) =>
      isKept
        ? Effect.flatMap(Clock.currentTimeMillis, (now) =>
            lookAfter(ref, dueAt === null ? LOOK_AGAIN : Math.max(0, dueAt - now))
          )
        : Effect.void
  }
})

/** The next action of a waiting message. */
const next = (
  { dueAt, isKept }: Reception,
  phone: PhoneSettings | null,
  now: number
): "waits" | "arrives" | "goes-on" => {
  if (isKept && phone?.offline === true) return "waits"
  if (dueAt !== null && dueAt > now) return "waits"
  if (phone?.mode !== "manual") return "goes-on"
  return isKept ? "arrives" : "waits"
}

/** The failure of an event that no handler took as one of the store: it is tried again. */
export const unhandled = (error: Error): StoreError =>
  error instanceof StoreError
    ? error
    : new StoreError({ reason: "Unavailable", message: "An event of the sandbox could not be handled." })
