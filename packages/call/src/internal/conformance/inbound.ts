/**
 * Calls of users to numbers of the service, for a gateway that hears any: each is refused, and only once it is handled.
 */
import { type CaseOf, eventually, group, holds, same } from "@watchword/store/checks"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { StoreError } from "@watchword/store/StoreError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Called, Service } from "../../CallGateway.ts"
import type { Started } from "./Harness.ts"
import { quiet } from "./kit.ts"

const user = E164.make("+4915123456789")
const unavailable = new StoreError({ reason: "Unavailable", message: "no disk" })

/** Subscribes to calls, with what becomes of each. */
const hear = Effect.fnUntraced(function* (gateway: Service, handle: (nth: number) => Effect.Effect<void, StoreError>) {
  const heard: Array<Called> = []
  yield* gateway.events((event) => {
    if (event._tag !== "Called") return Effect.void
    heard.push(event)
    return handle(heard.length)
  })
  return heard
})

export const inbound: ReadonlyArray<CaseOf<Started>> = group("a call to a number of the service", [
  {
    name: "is heard with its caller, and refused once that is handled",
    check: Effect.fnUntraced(function* ({ gateway, network: { call } }) {
      const [to] = gateway.receives?.() ?? []
      if (call === undefined || to === undefined) return
      const handled = yield* Deferred.make<void>()
      const heard = yield* hear(gateway, () => Deferred.await(handled))
      const placed = yield* call(user, to)
      yield* eventually(
        "the call to be heard",
        Effect.sync(() => heard.length > 0)
      )
      yield* quiet
      holds("a call must not be answered before it is handled", !(yield* placed.isRefused))
      yield* Deferred.succeed(handled, undefined)
      yield* eventually("the call to be refused", placed.isRefused)
      same("how often it was heard", heard.length, 1)
      same("caller", heard[0]?.from, user)
      same("number called", heard[0]?.to, to)
    })
  },

  {
    name: "is heard again where handling it has failed, and refused after that",
    check: Effect.fnUntraced(function* ({ gateway, network: { call } }) {
      const [to] = gateway.receives?.() ?? []
      if (call === undefined || to === undefined) return
      const heard = yield* hear(gateway, (nth) => (nth === 1 ? Effect.fail(unavailable) : Effect.void))
      const placed = yield* call(user, to)
      yield* eventually("the call to be refused", placed.isRefused)
      same("how often it was heard", heard.length, 2)
    })
  }
])
