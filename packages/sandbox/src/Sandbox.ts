/**
 * The sandbox: the inbox of its numbers, and its phones.
 *
 * The inbox has the messages to the phones of sandbox numbers, for people and tests that need the code. It is read from
 * the sandbox records of all channels, so every process on a store has the same one, and a channel of one's own is in
 * it by the `content` of its sends. It holds the messages that the sandbox's gateways accepted, even if they later
 * report them as undelivered.
 */
import { SandboxGroup } from "@watchword/api/groups"
import * as Feature from "@watchword/send/channel/Features"
import * as Operation from "@watchword/send/channel/Operation"
import { Prices } from "@watchword/ledger/PriceTable"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import {
  type BadRequest,
  type Conflict,
  Forbidden,
  type NotFound,
  type TooManyRequests,
  invalid
} from "@watchword/schemas/Errors"
import { type AccountId, type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { type Inbox, InboxQuery } from "@watchword/schemas/SandboxPhone"
import * as Wire from "@watchword/schemas/SandboxPhone"
import type { Principal } from "@watchword/schemas/Account"
import type { DeliveryChanges } from "@watchword/send/pipeline"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import * as Acts from "./internal/phones/Acts.ts"
import * as AutoActs from "./internal/phones/AutoActs.ts"
import { cleared } from "./internal/inbox/Cleared.ts"
import * as Feeds from "./internal/feed/Feeds.ts"
import * as Messages from "./internal/inbox/Messages.ts"
import * as PhoneRecords from "./internal/phones/PhoneRecords.ts"
import * as Phones from "./internal/phones/Phones.ts"
import * as UserActs from "./internal/phones/UserActs.ts"
import * as FeedItems from "./internal/feed/FeedItems.ts"
import * as Waits from "./internal/feed/Waits.ts"
import { Networks } from "./internal/simulator/Stages.ts"

export interface Service extends Feature.Service {
  /**
   * The messages that a query chooses, newest first, at most 100 of the last day. With `wait`, an empty one keeps
   * looking for that many seconds.
   */
  readonly inbox: (
    principal: Principal,
    query: InboxQuery
  ) => Effect.Effect<Inbox, BadRequest | Forbidden | TooManyRequests | StoreError>

  /** Hides earlier messages from the inbox. */
  readonly clear: (principal: Principal) => Effect.Effect<void, Forbidden | StoreError>

  /** The phones of the account. */
  readonly phones: (principal: Principal) => Effect.Effect<Wire.Phones, Forbidden | StoreError>

  readonly phone: (
    principal: Principal,
    number: string,
    query: Wire.PhoneQuery
  ) => Effect.Effect<Wire.Phone, BadRequest | Forbidden | NotFound | StoreError>

  /** Sets a phone. Messages that waited for it continue as it says now. */
  readonly setPhone: (
    principal: Principal,
    number: string,
    phone: Wire.SetPhone
  ) => Effect.Effect<Wire.Phone, BadRequest | Forbidden | StoreError>

  /** Removes a phone, if there is one. Messages that waited for it continue. */
  readonly removePhone: (
    principal: Principal,
    number: string,
    query: Wire.PhoneQuery
  ) => Effect.Effect<void, BadRequest | Forbidden | StoreError>

  /** Has something happen to a message, and answers the message after it. */
  readonly messageEvent: (
    principal: Principal,
    id: string,
    body: Wire.PostMessageEvent
  ) => Effect.Effect<Wire.PhoneMessage, BadRequest | Forbidden | NotFound | Conflict | StoreError>

  /** Has something happen to a call that rings, and answers the call after it. */
  readonly callEvent: (
    principal: Principal,
    id: string,
    body: Wire.PostCallEvent
  ) => Effect.Effect<Wire.PhoneCall, BadRequest | Forbidden | NotFound | Conflict | StoreError>

  /** Has the user of a phone write to the service. */
  readonly writeText: (
    principal: Principal,
    number: string,
    body: Wire.PostPhoneText
  ) => Effect.Effect<Wire.PhoneActed, BadRequest | Forbidden | Conflict | StoreError>

  /** Has the user of a phone call the service. */
  readonly placeCall: (
    principal: Principal,
    number: string,
    body: Wire.PostPhoneCall
  ) => Effect.Effect<Wire.PhoneActed, BadRequest | Forbidden | Conflict | StoreError>

  /** Has the user of a phone sign in at a provider. */
  readonly logIn: (
    principal: Principal,
    number: string,
    body: Wire.PostPhoneLogin
  ) => Effect.Effect<Wire.PhoneActed, BadRequest | Forbidden | NotFound | Conflict | StoreError>

  /** The changes on the phones after a cursor. With `wait`, it keeps looking for that many seconds. */
  readonly phoneEvents: (
    principal: Principal,
    query: Wire.PhoneEventsQuery
  ) => Effect.Effect<Wire.PhoneEvents, Forbidden | TooManyRequests | StoreError>

  /** The same for as long as its client listens. */
  readonly followPhones: (
    principal: Principal,
    query: Wire.PhoneEventsQuery
  ) => Effect.Effect<Operation.Following<Wire.PhoneEvents>, Forbidden | TooManyRequests>
}

export class Sandbox extends Context.Service<Sandbox, Service>()("watchword/Sandbox") {}

/** How far back the inbox reaches. */
const REACH = Duration.toMillis("24 hours")

/** How far back a wait looks: clocks of processes differ, and a send is in the inbox once its gateway has answered. */
const LATE = Duration.toMillis("1 minute")

type Needed = ChannelRegistry.ChannelRegistry | DeliveryChanges | Prices | Settings | Store

export const make: Effect.Effect<Service, never, Needed | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const { channels } = yield* ChannelRegistry.ChannelRegistry
  const waits = Waits.make()

  // The product of a channel's messages has the channel's name.
  const all = channels.flatMap(({ name, products }) => products.filter((product) => product.name === name))

  const known = yield* Networks
  const networks: Networks = new Map(
    all.flatMap(({ name }) => {
      const network = known?.get(name)
      return network === undefined ? [] : [[name, network] as const]
    })
  )
  const phones = yield* Phones.make(networks)
  const show = PhoneRecords.make(yield* Prices)
  const acts = yield* Acts.make(show, networks)
  const userActs = yield* UserActs.make
  const autoActs = yield* AutoActs.make(userActs)
  const feeds = yield* Feeds.make(yield* FeedItems.make(all, phones, show, networks))

  /** The products that a query is about. */
  const productsOf = (channel: string | undefined) => {
    const chosen = channel === undefined ? all : all.filter(({ name }) => name === channel)
    return chosen.length === 0 ? Effect.fail(noChannel(all.map(({ name }) => name))) : Effect.succeed(chosen)
  }

  const inbox = Effect.fnUntraced(function* (principal: Principal, { after, channel, to, wait = 0 }: InboxQuery) {
    yield* sandboxOnly(principal)
    const products = yield* productsOf(channel)
    const account = principal.account.id
    const clearedAt = yield* cleared.read(store, account)
    const now = yield* Clock.currentTimeMillis
    const look = (since: number) =>
      Messages.read(store, { account, products, to: to ?? null, after: later(after ?? null, clearedAt), since })
    const messages = yield* look(now - REACH)
    if (messages.length > 0 || wait === 0) return { messages }
    const looking = Effect.repeat(look(now - LATE), { until: ({ length }) => length > 0, schedule: oftenAtFirst }).pipe(
      Effect.timeoutOrElse({ duration: Duration.seconds(wait), orElse: () => Effect.succeed(messages) })
    )
    return { messages: yield* waits.within(account, looking, messages) }
  })

  const clear = Effect.fnUntraced(function* (principal: Principal) {
    yield* sandboxOnly(principal)
    yield* cleared.write(store, principal.account.id, nextDeliveryId(yield* Clock.currentTimeMillis))
    yield* feeds.wake(principal.account.id)
  })

  /** For sandbox keys only, with the account's feed woken behind it. */
  const changing = <A, E>(principal: Principal, change: (account: AccountId) => Effect.Effect<A, E>) => {
    const { id } = principal.account
    return Effect.andThen(sandboxOnly(principal), Effect.ensuring(change(id), feeds.wake(id)))
  }

  const phoneEvents = Effect.fnUntraced(function* (principal: Principal, { after, wait = 0 }: Wire.PhoneEventsQuery) {
    yield* sandboxOnly(principal)
    const found = yield* feeds.now(principal, after ?? null)
    if (found.reset || found.events.length > 0 || wait === 0) return found
    const next = Effect.timeoutOrElse(feeds.next(principal, found.cursor), {
      duration: Duration.seconds(wait),
      orElse: () => Effect.succeed(found)
    })
    return yield* waits.within(principal.account.id, next, found)
  })

  return Sandbox.of({
    inbox,
    clear,
    phones: (principal) =>
      Effect.andThen(
        sandboxOnly(principal),
        Effect.map(phones.all(principal.account.id), (phones) => ({ phones }))
      ),
    phone: (principal, number, query) =>
      Effect.andThen(sandboxOnly(principal), phones.get(principal.account.id, number, query)),
    setPhone: (principal, number, phone) =>
      changing(principal, (account) =>
        Effect.tap(phones.set(account, number, phone), (set) => autoActs.resume(account, set.number))
      ),
    removePhone: (principal, number, query) => changing(principal, (account) => phones.remove(account, number, query)),
    messageEvent: (principal, id, { event }) =>
      Effect.andThen(sandboxOnly(principal), acts.message(principal.account.id, id, event)),
    callEvent: (principal, id, { event }) =>
      Effect.andThen(sandboxOnly(principal), acts.call(principal.account.id, id, event)),
    writeText: (principal, number, text) =>
      Effect.andThen(sandboxOnly(principal), userActs.write(principal.account.id, number, text)),
    placeCall: (principal, number, call) =>
      Effect.andThen(sandboxOnly(principal), userActs.call(principal.account.id, number, call)),
    logIn: (principal, number, login) =>
      Effect.andThen(sandboxOnly(principal), userActs.signIn(principal.account.id, number, login)),
    phoneEvents,
    followPhones: (principal, { after }) =>
      Effect.andThen(
        sandboxOnly(principal),
        waits.following(principal.account.id, feeds.follow(principal, after ?? null))
      ),
    health: Effect.succeed([]),
    webhook: null,
    maintain: autoActs.catchUp,
    drain: waits.end
  })
})

export const layer: Layer.Layer<Sandbox, never, Needed> = Layer.effect(Sandbox, make)

/** The feature's description: the service folds over it as over the channels. */
export const sandbox = Feature.make({
  name: ChannelRegistry.sandbox.name,
  actions: ChannelRegistry.sandbox.actions,
  group: SandboxGroup,
  service: make,
  operations: (sandbox) => ({
    /** The messages to the phones of sandbox numbers. */
    inbox: Operation.query(InboxQuery, sandbox.inbox),
    clear: Operation.command(sandbox.clear),
    phones: Operation.command(sandbox.phones),
    phone: Operation.readBy(Wire.PhoneQuery, sandbox.phone),
    setPhone: Operation.update(Wire.SetPhone, sandbox.setPhone),
    removePhone: Operation.changeBy(Wire.PhoneQuery, sandbox.removePhone),
    messageEvent: Operation.update(Wire.PostMessageEvent, sandbox.messageEvent),
    callEvent: Operation.update(Wire.PostCallEvent, sandbox.callEvent),
    writeText: Operation.update(Wire.PostPhoneText, sandbox.writeText),
    placeCall: Operation.update(Wire.PostPhoneCall, sandbox.placeCall),
    logIn: Operation.update(Wire.PostPhoneLogin, sandbox.logIn),
    phoneEvents: Operation.follow(Wire.PhoneEventsQuery, sandbox.phoneEvents, sandbox.followPhones)
  })
})

const sandboxOnly = ({ mode }: Principal): Effect.Effect<void, Forbidden> =>
  mode === "sandbox"
    ? Effect.void
    : Effect.fail(
        new Forbidden({ message: "The sandbox is for sandbox keys; this key is live.", reason: "sandbox_only" })
      )

const noChannel = (names: ReadonlyArray<string>) =>
  invalid([{ path: "channel", message: `must be one of ${names.join(", ")}` }])

const later = (one: DeliveryId | null, other: DeliveryId | null): DeliveryId | null =>
  one === null || (other !== null && other > one) ? other : one

/** After a quarter of a second, then ever more slowly, up to every two seconds. */
const oftenAtFirst = Schedule.min([Schedule.exponential("250 millis", 1.5), Schedule.spaced("2 seconds")])
