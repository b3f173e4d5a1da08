/**
 * The phones of accounts: set, removed and looked up. After a change the messages that waited continue as the phone
 * says now.
 */
import type { Product } from "@watchword/schemas/Channel"
import { type BadRequest, NotFound, badRequest, invalid } from "@watchword/schemas/Errors"
import { personal, request } from "@watchword/schemas/Field"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Phone, PhoneQuery, PhoneSettings, SetPhone } from "@watchword/schemas/SandboxPhone"
import { readNumber } from "@watchword/schemas/SharedFields"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type KeptPhone, phoneSettings as phones } from "../../phoneSettings.ts"
import type { Network } from "../simulator/Receptions.ts"
import type { Networks } from "../simulator/Stages.ts"

export interface Phones {
  readonly all: (account: AccountId) => Effect.Effect<ReadonlyArray<Phone>, StoreError>
  readonly get: (
    account: AccountId,
    number: string,
    query: PhoneQuery
  ) => Effect.Effect<Phone, BadRequest | NotFound | StoreError>
  readonly set: (account: AccountId, number: string, phone: SetPhone) => Effect.Effect<Phone, BadRequest | StoreError>
  readonly remove: (
    account: AccountId,
    number: string,
    query: PhoneQuery
  ) => Effect.Effect<void, BadRequest | StoreError>
}

/** How far back messages are looked for that wait. */
const REACH = Duration.toMillis("24 hours")

const PAGE = 500

export const make = Effect.fnUntraced(function* (
  networks: Networks
): Effect.fn.Return<Phones, never, Settings | Store> {
  const settings = yield* Settings
  const store = yield* Store

  /** All messages to a number that its carrier has, oldest first. */
  const waiting = Effect.fnUntraced(function* (account: AccountId, number: E164, channel: Product, network: Network) {
    const since = (yield* Clock.currentTimeMillis) - REACH
    const found: Array<Delivery> = []
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = yield* store.list({
        account,
        mode: "sandbox",
        channel,
        where: [
          { _tag: "Range", field: "createdAt", gte: since },
          { _tag: "In", field: "to", values: [number] }
        ],
        sort: { field: "createdAt", direction: "ASC" },
        offset,
        limit: PAGE
      })
      found.push(...rows.filter((delivery) => network.accepts(delivery).includes("delivered")))
      if (rows.length < PAGE) return found
    }
  })

  const settle = Effect.fnUntraced(function* (account: AccountId, number: E164, phone: PhoneSettings | null) {
    for (const [product, network] of networks) {
      if (!network.events.includes("delivered")) continue
      for (const delivery of yield* waiting(account, number, product, network)) {
        yield* network.settle(delivery, phone)
      }
    }
  })

  const get = Effect.fnUntraced(function* (account: AccountId, text: string, { default_country: country }: PhoneQuery) {
    const number = yield* read(text, country)
    const phone = Option.getOrNull(yield* settings.get(account, phones.of(number)))
    return phone === null ? yield* new NotFound({ message: "The number has no phone." }) : toPhone(number, phone)
  })

  const set = Effect.fnUntraced(function* (
    account: AccountId,
    text: string,
    { default_country: country, ...given }: SetPhone
  ) {
    const number = yield* read(text, country)
    const set_at = yield* Clock.currentTimeMillis
    const phone = yield* withAccount(settings.set(account, phones.of(number), { ...given, set_at }))
    yield* settle(account, number, phone)
    return toPhone(number, phone)
  })

  const remove = Effect.fnUntraced(function* (
    account: AccountId,
    text: string,
    { default_country: country }: PhoneQuery
  ) {
    const number = yield* read(text, country)
    yield* withAccount(settings.remove(account, phones.of(number)))
    yield* settle(account, number, null)
  })

  return {
    all: (account) =>
      Effect.map(settings.all(account, phones), (all) => [...all].map(([number, phone]) => toPhone(number, phone))),
    get,
    // Neither is left half done for a client that hangs up.
    set: (account, number, phone) => Effect.uninterruptible(set(account, number, phone)),
    remove: (account, number, query) => Effect.uninterruptible(remove(account, number, query))
  }
})

/** A phone on the wire. */
const toPhone = (number: string, { bizchat, call, chatgw, mode, offline, sms }: KeptPhone): Phone => ({
  number,
  mode,
  call,
  sms,
  chatgw,
  bizchat,
  offline
})

const Path = request({ number: personal(E164) })

const decode = Schema.decodeUnknownEffect(Path)

/** The number of a path: in E.164 form, or as people type it together with a country. */
export const read = (text: string, country: string | undefined): Effect.Effect<E164, BadRequest> => {
  if (country === undefined) {
    return Effect.mapBoth(decode({ number: text }), { onFailure: badRequest, onSuccess: ({ number }) => number })
  }
  const read = readNumber(text, country)
  if ("number" in read) return Effect.succeed(read.number)
  return Effect.fail(invalid([{ ...read.issue, path: read.issue.path || "number" }]))
}

/** Changes a setting of a principal's account, which is there. */
const withAccount = <A, E extends { readonly _tag: string }>(change: Effect.Effect<A, E | NotFound>) =>
  Effect.catchTag(change, "NOT_FOUND", (error) => Effect.die(error))
