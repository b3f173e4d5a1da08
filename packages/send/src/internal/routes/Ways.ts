/**
 * The ways of a channel's live sends among the carriers of its gateway, by the settings of their accounts.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { RequestKeys } from "../../Claims.ts"
import * as RouteSettings from "./RouteSettings.ts"
import * as RouteTable from "./RouteTable.ts"
import type { Routing, Way } from "./Routing.ts"

/** The way of a send. `keys` lead to the earlier sends of the same code. */
export type Ways = (
  routing: Routing,
  principal: Principal,
  to: E164,
  keys: RequestKeys
) => Effect.Effect<Way, StoreError>

interface OfAccount {
  readonly own: RouteTable.RouteTable | null
  readonly drains: ReadonlyMap<string, number | null>
}

export const make = Effect.fnUntraced(function* (channel: Product): Effect.fn.Return<Ways, never, Settings | Store> {
  const settings = yield* Settings
  const store = yield* Store

  const profile = settings.profile<OfAccount>((own, common) =>
    Result.gen(function* () {
      const routes = yield* own.get(RouteSettings.routes)
      const tables =
        routes === undefined ? null : yield* Result.mapError(RouteTable.read(routes, null, null), unreadable)
      return { own: tables?.get(channel) ?? null, drains: yield* common.all(RouteSettings.drains) }
    })
  )

  const usedBefore = Effect.fnUntraced(function* ({ account, mode }: Principal, { origin }: RequestKeys) {
    const used = new Set<string>()
    for (const id of origin?.earlier ?? []) {
      const found = yield* store.find({ account: account.id, mode, channel, id })
      const carrier = Option.getOrUndefined(found)?.details["carrier"]
      if (typeof carrier === "string") used.add(carrier)
    }
    return used
  })

  return Effect.fnUntraced(function* (routing, principal, to, keys) {
    const now = yield* Clock.currentTimeMillis
    const known = profile(principal.account.id, now)
    const { drains, own } = Effect.isEffect(known) ? yield* known : known
    const drained = new Set([...drains].flatMap(([name, until]) => (until === null || now < until ? [name] : [])))
    return yield* routing.way({ to, own, drained, used: yield* usedBefore(principal, keys) })
  })
})

const unreadable = (): StoreError =>
  new StoreError({ reason: "Unavailable", message: "The routes of an account cannot be read." })
