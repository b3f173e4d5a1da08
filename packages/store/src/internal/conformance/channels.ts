/** Cases that every channel of a service passes, including a channel that no package here knows. */
import type { Product } from "@watchword/schemas/Channel"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Store } from "../../Store.ts"
import type { StoreError } from "../../StoreError.ts"
import { type StoreCase, check, same } from "./Case.ts"
import {
  AT,
  DAY,
  accountFor,
  balance,
  balanceOf,
  claim,
  closing,
  ending,
  now,
  opened,
  opening,
  receipt,
  status
} from "./Fixtures.ts"

/** The channels that come with Watchword, and one of a contributor. */
const registry = ChannelRegistry.make([
  ...ChannelRegistry.builtIn,
  { name: "pigeon", products: [{ name: "pigeon", number: 127, listedBy: "createdAt" }] }
])

/** A case that a store of the registry passes with each product. */
const onEach = (name: string, program: (channel: Product) => Effect.Effect<void, StoreError, Store>): StoreCase => {
  const { check: checked } = check(
    name,
    Effect.forEach(registry.products, (product) => program(product.name), { discard: true })
  )
  return {
    name,
    check: (store) => Effect.provideService(checked(store), ChannelRegistry.ChannelRegistry, registry)
  }
}

export const channels = [
  onEach("channels: a send is opened, closed, reported on and found on each", (channel) =>
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const before = yield* opened(account, { channel }, { claims: [claim(`key of ${channel}`)] })
      same(channel, [before.channel, before.phase], [channel, "pending"])
      yield* store.close(closing(before.id, "accepted", { refs: ["a"] }))
      yield* store.report(receipt(["a"], { channel }))
      const after = yield* now(before)
      same(channel, [after.channel, after.phase, after.status], [channel, "accepted", status.delivered])
      same(channel, yield* store.findByRef({ channel, ref: "a" }), Option.some(after))
      const repeat = yield* store.open(opening(account, { channel }, { claims: [claim(`key of ${channel}`)] }))
      same(channel, repeat._tag === "Claimed" ? repeat.by : null, after)
      same(channel, yield* balanceOf(account), balance(1, 0))
    })
  ),

  onEach("channels: an early receipt waits for its close on each, and is found by number and reference", (channel) =>
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(2)
      const early = yield* opened(account, { channel, reference: 1 })
      same(channel, yield* store.report(receipt(["early"], { channel })), { _tag: "Unmatched" })
      yield* store.close(closing(early.id, "accepted", { refs: ["early"] }))
      same(channel, (yield* now(early)).status, status.delivered)
      const lost = yield* opened(account, { channel, reference: 2 })
      const message = { to: lost.to, reference: 2 }
      same(channel, (yield* store.report(receipt(["lost"], { channel, message })))._tag, "Moved")
      same(channel, (yield* now(lost)).phase, "accepted")
    })
  ),

  onEach("channels: records are listed on each, in the order of its time", (channel) =>
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(3)
      const first = yield* opened(account, { channel }, { at: AT })
      const second = yield* opened(account, { channel }, { at: AT + 1 })
      const abandoned = yield* opened(account, { channel, status: { name: channel, rank: 1 } }, { at: AT + 2 })
      yield* store.close(closing(first.id, "accepted", { at: AT + 9 }))
      const field = registry.listedBy(channel)
      const listing = { account, mode: "live", channel, offset: 0, limit: 9 } as const
      const page = yield* store.list({ ...listing, where: [], sort: { field, direction: "ASC" } })
      const ids = field === "createdAt" ? [first, second, abandoned] : [second, abandoned, first]
      same(
        channel,
        page.rows.map(({ id }) => id),
        ids.map(({ id }) => id)
      )
      const late = { _tag: "Range", field, gte: AT + 9 } as const
      const window = yield* store.list({ ...listing, where: [late], sort: { field, direction: "ASC" } })
      same(channel, window.total, field === "createdAt" ? 0 : 1)
      const ever = { mode: null, createdFrom: 0, createdBefore: Number.MAX_SAFE_INTEGER } as const
      const found = yield* store.abandoned({ channel, status: channel, limit: 9, ...ever })
      same(channel, found, [abandoned])
    })
  ),

  onEach("channels: a number is found on each, and taken out of its record", (channel) =>
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const sent = yield* opened(account, { channel, to: numberOn(channel) }, { close: ending("accepted") })
      same(channel, yield* toNumber(channel), [sent])
      same(channel, yield* store.redact([{ id: sent.id, to: true, from: true, details: {} }]), 1)
      same(channel, yield* toNumber(channel), [])
    })
  )
]

/** A program that has this channel writes; the next one, on the same data, lacks it. */
export const lackedChannels: ReadonlyArray<StoreCase> = [
  {
    name: "deliveriesTo: passes over no record of a channel that the program lacks, or fails, and for no other number",
    check: (store) => {
      const sent = Effect.flatMap(accountFor(2), (account) =>
        Effect.forEach(["pigeon", "sms"], (channel) =>
          opened(account, { channel, to: numberOn(channel) }, { close: ending("accepted") })
        )
      )
      const looked = Effect.gen(function* () {
        same("of the other number", (yield* toNumber("sms")).length, 1)
        const seen = Effect.match(toNumber("pigeon"), {
          onFailure: ({ message, reason }) => reason === "Unavailable" && message.includes("product 127"),
          onSuccess: ([found]) => found?.channel === "pigeon"
        })
        same("of the number", yield* seen, true)
      })
      return Effect.andThen(
        Effect.provideService(Effect.provide(sent, Layer.fresh(store)), ChannelRegistry.ChannelRegistry, registry),
        Effect.provide(looked, Layer.fresh(store))
      )
    }
  }
]

/** A number to which one channel sends. */
const numberOn = (channel: Product): string => `+49151000${String(registry.codeOf(channel)).padStart(5, "0")}`

const toNumber = (channel: Product) =>
  Store.use((store) => store.deliveriesTo({ to: numberOn(channel), since: AT, until: AT + DAY, limit: 9 }))
