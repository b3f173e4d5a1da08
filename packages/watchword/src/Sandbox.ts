/**
 * The inbox of the sandbox: what the phones of sandbox numbers would have shown, for people and tests that need the code.
 *
 * It is read from the sandbox records of all channels, so every process on a store has the same one, and a channel of
 * one's own is in it by the `content` of its sends. It holds what the sandbox's gateways took, also where they report
 * later that it was not delivered.
 */
import { SandboxGroup } from "@watchword/api/internal/SandboxGroup"
import * as Feature from "@watchword/send/internal/channel/Feature"
import * as Operation from "@watchword/send/channel/Operation"
import * as ChannelRegistry from "@watchword/schemas/internal/ChannelRegistry"
import type { BadRequest } from "@watchword/schemas/Errors"
import { Forbidden, type TooManyRequests } from "@watchword/schemas/Errors"
import { type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { type Inbox, InboxQuery } from "@watchword/schemas/internal/Inbox"
import { invalid } from "@watchword/schemas/internal/Issues"
import type { Principal } from "@watchword/schemas/Principal"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Cleared from "./internal/sandbox/Cleared.ts"
import * as Messages from "./internal/sandbox/Messages.ts"
import * as Waits from "./internal/sandbox/Waits.ts"

export interface Service extends Feature.Service {
  /**
   * The messages that a query chooses, newest first, at most 100 of the last day. With `wait`, one that finds none goes on
   * looking for so many seconds.
   */
  readonly inbox: (
    principal: Principal,
    query: InboxQuery
  ) => Effect.Effect<Inbox, BadRequest | Forbidden | TooManyRequests | StoreError>

  /** Leaves out of the inbox what was sent before. */
  readonly clear: (principal: Principal) => Effect.Effect<void, Forbidden | StoreError>
}

export class Sandbox extends Context.Service<Sandbox, Service>()("watchword/Sandbox") {}

/** How far back the inbox reaches. */
const REACH = Duration.toMillis("24 hours")

/** How far back a wait looks: clocks of processes differ, and a send is in the inbox once its gateway has answered. */
const LATE = Duration.toMillis("1 minute")

export const make: Effect.Effect<Service, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const { channels } = yield* ChannelRegistry.ChannelRegistry
  const waits = Waits.make()

  // The product of a channel's messages has the channel's name.
  const all = channels.flatMap(({ name, products }) => products.filter((product) => product.name === name))

  /** The products that a query is about. */
  const productsOf = (channel: string | undefined) => {
    const chosen = channel === undefined ? all : all.filter(({ name }) => name === channel)
    return chosen.length === 0 ? Effect.fail(noChannel(all.map(({ name }) => name))) : Effect.succeed(chosen)
  }

  const inbox = Effect.fnUntraced(function* (principal: Principal, { after, channel, to, wait = 0 }: InboxQuery) {
    yield* sandboxOnly(principal)
    const products = yield* productsOf(channel)
    const account = principal.account.id
    const cleared = yield* Cleared.read(store, account)
    const now = yield* Clock.currentTimeMillis
    const look = (since: number) =>
      Messages.read(store, { account, products, to: to ?? null, after: later(after ?? null, cleared), since })
    const messages = yield* look(now - REACH)
    if (messages.length > 0 || wait === 0) return { messages }
    const looking = Effect.repeat(look(now - LATE), { until: ({ length }) => length > 0, schedule: oftenAtFirst }).pipe(
      Effect.timeoutOrElse({ duration: Duration.seconds(wait), orElse: () => Effect.succeed(messages) })
    )
    return { messages: yield* waits.within(account, looking, messages) }
  })

  const clear = Effect.fnUntraced(function* (principal: Principal) {
    yield* sandboxOnly(principal)
    yield* Cleared.write(store, principal.account.id, nextDeliveryId(yield* Clock.currentTimeMillis))
  })

  return Sandbox.of({ inbox, clear, health: Effect.succeed([]), webhook: null, drain: waits.end })
})

export const layer: Layer.Layer<Sandbox, never, Store> = Layer.effect(Sandbox, make)

/** The feature's description: the service folds over it as over the channels. */
export const sandbox = Feature.make({
  name: ChannelRegistry.sandbox.name,
  actions: ChannelRegistry.sandbox.actions,
  group: SandboxGroup,
  service: make,
  operations: ({ clear, inbox }) => ({
    /** What the phones of sandbox numbers would have shown. */
    inbox: Operation.query(InboxQuery, inbox),
    clear: Operation.command(clear)
  })
})

const sandboxOnly = ({ mode }: Principal): Effect.Effect<void, Forbidden> =>
  mode === "sandbox"
    ? Effect.void
    : Effect.fail(
        new Forbidden({ message: "The inbox is for sandbox keys; this key is live.", reason: "sandbox_only" })
      )

const noChannel = (names: ReadonlyArray<string>) =>
  invalid([{ path: "channel", message: `must be one of ${names.join(", ")}` }])

const later = (one: DeliveryId | null, other: DeliveryId | null): DeliveryId | null =>
  one === null || (other !== null && other > one) ? other : one

/** After a quarter of a second, then ever more slowly, up to every two seconds. */
const oftenAtFirst = Schedule.min([Schedule.exponential("250 millis", 1.5), Schedule.spaced("2 seconds")])
