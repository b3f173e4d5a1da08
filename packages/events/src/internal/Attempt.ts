/**
 * One attempt at an event of the outbox, and what becomes of it.
 */
import * as Seals from "@watchword/send/internal/Seals"
import { Settings } from "@watchword/store/Settings"
import type { Settlement, TakenEvent } from "@watchword/store/internal/EventStore"
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { NOT_READ_YET } from "./Answer.ts"
import * as Described from "./Described.ts"
import { wants } from "./Endpoint.ts"
import { Endpoints, type Found } from "./Endpoints.ts"
import * as EndpointStates from "./EndpointStates.ts"
import { Handlers, isHandlers } from "./Handlers.ts"
import * as RetrySchedule from "./RetrySchedule.ts"
import * as Secrets from "./Secrets.ts"
import * as WebhookDelivery from "./WebhookDelivery.ts"

/** Of an endpoint that this process does not know: another process may have added it within the last second. */
const YOUNG = 5_000
const UNKNOWN_FOR = 2_000

/** How soon another process, which may have handlers, takes an event that this one has none for. */
const HANDLED_ELSEWHERE = 500

/** How many attempts at endpoints that fail may be under way at once, so that those that hang leave places to others. */
const MOST_FAILING = 64

/** When another process, of the newer program that wrote it, may take an event that this one cannot describe. */
const KNOWN_ELSEWHERE = 30_000

export const make = Effect.gen(function* () {
  const store = yield* Store
  const settings = yield* Settings
  const endpoints = yield* Endpoints
  const handlers = yield* Handlers
  const descriptions = yield* Described.Descriptions
  const deliver = yield* WebhookDelivery.make
  const secretsOf = Secrets.opening(yield* Seals.make)

  const eventsOf = Effect.fnUntraced(function* (row: TakenEvent) {
    const { account, fact, mode } = row
    if (fact._tag !== "DeliveryChanged") return Described.of(row, null, descriptions)
    const found = yield* store.find({ account, mode, channel: fact.channel, id: fact.delivery })
    return Described.of(row, Option.getOrNull(found), descriptions)
  })

  const byHandlers = Effect.fnUntraced(function* (row: TakenEvent) {
    if (!handlers.has(row.endpoint)) return settlement(row, { _tag: "Retry", after: HANDLED_ELSEWHERE }, "no handler")
    const events = (yield* eventsOf(row)).map((event) => ({ ...event, id: idOf(row, event) }))
    if (yield* handlers.call(row.endpoint, events)) return settlement(row, { _tag: "Sent" }, "handled")
    return yield* again(row, "a handler failed", RetrySchedule.nextByAge)
  })

  let failing = 0

  const byWebhook = (row: TakenEvent, found: Found) => {
    if (found.state === null) return sent(row, found)
    if (failing >= MOST_FAILING) return again(row, "not tried: too many webhooks fail", RetrySchedule.next)
    failing++
    return Effect.ensuring(
      sent(row, found),
      Effect.sync(() => failing--)
    )
  }

  const sent = Effect.fnUntraced(function* (row: TakenEvent, found: Found) {
    const { endpoint, owner } = found
    const secrets = yield* Effect.option(secretsOf(owner, row.endpoint, endpoint))
    // Another process may know the secret of the installation. The endpoint has not failed.
    if (Option.isNone(secrets))
      return yield* again(row, "its secret is sealed with another VERIFY_SECRET", RetrySchedule.nextByAge)
    const receiver = { url: endpoint.url, secrets: secrets.value }
    const events = (yield* eventsOf(row)).filter(({ type }) => wants(endpoint.events, type))
    const outcomes = yield* Effect.forEach(events, (event) => deliver(receiver, idOf(row, event), event), {
      // One alone, as most are, needs no fiber of its own.
      concurrency: Math.max(1, events.length)
    })
    if (outcomes.some(({ _tag }) => _tag === "Gone")) {
      yield* EndpointStates.gone(settings, row.endpoint, found)
      return yield* dropped(row)
    }
    const failure = outcomes.find(({ _tag }) => _tag === "Failed")
    if (failure !== undefined) {
      if (yield* EndpointStates.failed(settings, row.endpoint, found)) return yield* dropped(row)
      return yield* again(row, failure.answer, RetrySchedule.next)
    }
    const [taken] = outcomes
    if (taken === undefined) return settlement(row, { _tag: "Sent" }, "no event of its types")
    yield* EndpointStates.taken(settings, row.endpoint, found)
    return settlement(row, { _tag: "Sent" }, taken.answer)
  })

  /** An endpoint that is gone leaves nothing behind that would be sent to it. */
  const dropped = (row: TakenEvent) => Effect.as(store.dropEvents(row.endpoint), null)

  return Effect.fnUntraced(function* (row: TakenEvent) {
    if (!Described.isKnown(row)) return settlement(row, { _tag: "Retry", after: KNOWN_ELSEWHERE }, "of a newer program")
    if (isHandlers(row.endpoint)) return yield* byHandlers(row)
    const found = yield* endpoints.find(row.endpoint, row.account)
    if (found !== null) return found.state?.disabled ? yield* dropped(row) : yield* byWebhook(row, found)
    const isYoung = (yield* Clock.currentTimeMillis) - row.at < YOUNG
    return isYoung ? settlement(row, { _tag: "Retry", after: UNKNOWN_FOR }, NOT_READ_YET) : yield* dropped(row)
  })
})

const settlement = ({ id, until }: TakenEvent, outcome: Settlement["outcome"], answer: string): Settlement => ({
  id,
  until,
  outcome,
  answer
})

const again = Effect.fnUntraced(function* (
  row: TakenEvent,
  answer: string,
  next: (attempts: RetrySchedule.Attempts) => number | null
) {
  const now = yield* Clock.currentTimeMillis
  const at = next({ count: row.attempts, createdAt: row.at, now })
  if (at !== null) return settlement(row, { _tag: "Retry", after: at - now }, answer)
  yield* Effect.logWarning("an event was not taken in a day and is not sent any more", {
    event: row.id,
    webhook: row.endpoint,
    answer
  })
  return settlement(row, { _tag: "Failed" }, answer)
})

/** The id is the same for each attempt; one change may be two events. */
const idOf = ({ id }: TakenEvent, { type }: Described.AnyEvent): string =>
  `evt_${id}_${type.slice(type.indexOf(".") + 1)}`
