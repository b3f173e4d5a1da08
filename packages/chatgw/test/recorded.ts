import type { CodeMessage, Probe, Service } from "@watchword/chatgw/ChatgwGateway"
import { probeStatuses, statuses } from "../src/internal/ChatgwStatus.ts"
import type { Product } from "@watchword/schemas/Channel"
import { type DeliveryId, nextAccountId, nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import type { Outcome } from "@watchword/send/Outcome"
import type { Statuses } from "@watchword/send/Send"
import type { Close } from "@watchword/store/Store"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { someAccount } from "../../../test/accounts.ts"

/**
 * A gateway whose sends and probes are recorded in the store, as the pipeline does it: the sandbox keeps what
 * it knows there.
 */
export const recorded = Effect.fnUntraced(function* (gateway: Service): Effect.fn.Return<Service, never, Store> {
  const store = yield* Store
  const account = nextAccountId(0)
  const owner = nextProcessId(0)
  yield* Effect.orDie(store.createAccount(someAccount({ id: account })))

  const open = (id: DeliveryId, channel: Product, to: string, { pending: status }: Statuses) =>
    store.open({
      delivery: {
        id,
        account,
        mode: "sandbox",
        channel,
        to,
        from: null,
        status,
        price: zero,
        parts: 1,
        reference: null,
        details: {}
      },
      claims: [],
      owner,
      at: 0
    })

  const close = (id: DeliveryId, accepted: Pick<Close, "refs" | "details"> | null, statuses: Statuses) =>
    store.close({
      id,
      outcome: accepted === null ? "rejected" : "accepted",
      status: accepted === null ? statuses.failed : statuses.accepted,
      refs: accepted?.refs ?? [],
      details: accepted?.details ?? {},
      at: 0
    })

  const send = Effect.fnUntraced(function* (message: CodeMessage): Effect.fn.Return<Outcome> {
    yield* Effect.orDie(open(message.delivery, "chatgw", message.to, statuses))
    const outcome = yield* gateway.send(message)
    yield* Effect.orDie(close(message.delivery, outcome._tag === "Accepted" ? outcome : null, statuses))
    return outcome
  })

  const checkSendAbility = Effect.fnUntraced(function* (to: CodeMessage["to"]): Effect.fn.Return<Probe> {
    const id = nextDeliveryId(0)
    yield* Effect.orDie(open(id, "chatgw_probe", to, probeStatuses))
    const probe = yield* gateway.checkSendAbility(to)
    const refs = probe._tag === "Reachable" ? { refs: [probe.requestId], details: {} } : null
    yield* Effect.orDie(close(id, refs, probeStatuses))
    return probe
  })

  return { ...gateway, send, checkSendAbility }
})
