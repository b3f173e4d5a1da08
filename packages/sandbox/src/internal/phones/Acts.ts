/**
 * Events that a person has happen to messages and calls of the sandbox.
 */
import type { Product } from "@watchword/schemas/Channel"
import { type BadRequest, Conflict, NotFound, invalid } from "@watchword/schemas/Errors"
import { type AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { CallEvent, MessageEvent, PhoneCall, PhoneMessage } from "@watchword/schemas/SandboxPhone"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Network } from "../simulator/Receptions.ts"
import type { Networks } from "../simulator/Stages.ts"
import { type Show, type Shown, isCall } from "./PhoneRecords.ts"

type Failure = BadRequest | NotFound | Conflict | StoreError

export interface Acts {
  /** Has an event happen to a message, and answers the message after it. */
  readonly message: (account: AccountId, id: string, event: MessageEvent) => Effect.Effect<PhoneMessage, Failure>
  /** The same for a call. */
  readonly call: (account: AccountId, id: string, event: CallEvent) => Effect.Effect<PhoneCall, Failure>
}

interface Found {
  readonly delivery: Delivery
  readonly network: Network
  readonly shown: Shown
}

export const make = Effect.fnUntraced(function* (show: Show, networks: Networks): Effect.fn.Return<Acts, never, Store> {
  const store = yield* Store

  const findIn = (account: AccountId, id: DeliveryId, channel: Product, network: Network) =>
    Effect.map(
      store.find({ account, mode: "sandbox", channel, id }),
      Option.flatMap((delivery) => {
        const shown = show(delivery, network)
        return shown === null ? Option.none() : Option.some<Found>({ delivery, network, shown })
      })
    )

  const find = Effect.fnUntraced(function* (account: AccountId, id: string, type: Shown["type"]) {
    const ofType = [...networks].filter(([, network]) => isCall(network) === (type === "call"))
    const found = isDeliveryId(id)
      ? Option.firstSomeOf(yield* Effect.forEach(ofType, ([channel, network]) => findIn(account, id, channel, network)))
      : Option.none<Found>()
    return yield* Effect.mapError(Effect.fromOption(found), () => none(type))
  })

  const act = Effect.fnUntraced(function* (
    account: AccountId,
    id: string,
    type: Shown["type"],
    event: MessageEvent | CallEvent
  ) {
    const { delivery, network, shown } = yield* find(account, id, type)
    if (!network.events.includes(event)) return yield* unknownTo(network)
    if (!acceptedBy(shown).includes(event)) return yield* refused(shown)
    yield* network.post(delivery, event)
    const after = yield* find(account, id, type)
    // Another event may have come first.
    if (!hasCome(event, after)) return yield* refused(after.shown)
    return after.shown
  }, Effect.uninterruptible)

  return {
    message: (account, id, event) =>
      Effect.flatMap(act(account, id, "message", event), (shown) =>
        shown.type === "message" ? Effect.succeed(shown.message) : Effect.fail(none("message"))
      ),
    call: (account, id, event) =>
      Effect.flatMap(act(account, id, "call", event), (shown) =>
        shown.type === "call" ? Effect.succeed(shown.call) : Effect.fail(none("call"))
      )
  }
})

const isDeliveryId = Schema.is(DeliveryId)

const acceptedBy = (shown: Shown): ReadonlyArray<MessageEvent | CallEvent> =>
  shown.type === "message" ? shown.message.accepts : shown.call.accepts

/** Whether a delivery is as an event leaves it. */
const hasCome = (event: MessageEvent | CallEvent, { shown }: Found): boolean => {
  if (shown.type === "call") return shown.call.hangup_cause === CAUSES[event]
  return shown.message.state === event || (event === "delivered" && shown.message.state === "read")
}

const CAUSES: { readonly [E in MessageEvent | CallEvent]?: string } = {
  answer: "NORMAL_CLEARING",
  decline: "CALL_REJECTED",
  hangup: "NO_USER_RESPONSE"
}

const none = (type: Shown["type"]) => new NotFound({ message: `There is no such ${type} in the sandbox.` })

const unknownTo = ({ events }: Network) =>
  invalid([{ path: "event", message: `must be one of ${events.join(", ")} on this channel` }])

const refused = (shown: Shown) => {
  if (shown.type === "call") return new Conflict({ message: "The call does not ring any more.", reason: "ended" })
  return shown.message.state === "kept"
    ? new Conflict({ message: "The phone's carrier keeps the message, which has not arrived.", reason: "kept" })
    : new Conflict({ message: `The message is ${shown.message.state} already.`, reason: "ended" })
}
