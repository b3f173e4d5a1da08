/**
 * One attempt at events of the outbox that go to an endpoint, and what becomes of them.
 */
import { nextUlid } from "@watchword/schemas/Ids"
import { makeSeals } from "@watchword/send/pipeline"
import { Settings } from "@watchword/store/Settings"
import { type Settlement, Store, type TakenEvent } from "@watchword/store/Store"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Answer from "./Answer.ts"
import * as Contents from "./Contents.ts"
import * as Described from "./Described.ts"
import { wants } from "./Endpoint.ts"
import { Endpoints, type Found } from "./Endpoints.ts"
import * as EndpointStates from "./EndpointStates.ts"
import { Handlers, isHandlers } from "./Handlers.ts"
import type { Request } from "./Places.ts"
import * as RetrySchedule from "./RetrySchedule.ts"
import * as Secrets from "./Secrets.ts"
import * as WebhookDelivery from "./WebhookDelivery.ts"

/** Of an endpoint that this process does not know: another process may have added it within the last second. */
const YOUNG = 5_000
const UNKNOWN_FOR = 2_000

/** How soon another process, which may have handlers, takes an event for which this one has no handler. */
const HANDLED_ELSEWHERE = 500

/**
 * How many attempts at endpoints that fail may be under way at once, so that hanging ones leave room for others.
 */
const MOST_FAILING = 64

/** How many records of a batch are read at once. */
const READ_AT_ONCE = 8

/** When another process, of the newer program that wrote it, may take an event that this one cannot describe. */
const KNOWN_ELSEWHERE = 30_000

/** The content posted under an id: one event, or a list of them. */
interface Post {
  readonly id: string
  readonly body: Parameters<WebhookDelivery.Deliver>[2]
}

const alone = ({ id, ...body }: WebhookDelivery.Identified): Post => ({ id, body })

export const make = Effect.gen(function* () {
  const store = yield* Store
  const settings = yield* Settings
  const endpoints = yield* Endpoints
  const handlers = yield* Handlers
  const descriptions = yield* Described.Descriptions
  const deliver = yield* WebhookDelivery.make
  const secretsOf = Secrets.opening(yield* makeSeals)

  const eventsOf = (row: TakenEvent) =>
    Contents.eventsOf(row).pipe(
      Effect.provideService(Store, store),
      Effect.provideService(Described.Descriptions, descriptions)
    )

  const byHandlers = Effect.fnUntraced(function* (row: TakenEvent) {
    if (!handlers.has(row.endpoint)) return settlement(row, { _tag: "Retry", after: HANDLED_ELSEWHERE }, "no handler")
    if (yield* handlers.call(row.endpoint, yield* eventsOf(row))) return settlement(row, { _tag: "Sent" }, "handled")
    return yield* again(row, "a handler failed", RetrySchedule.nextByAge)
  })

  let failing = 0

  const byWebhook = (request: Request, found: Found) => {
    if (found.state === null) return sent(request, found)
    if (failing >= MOST_FAILING) return allAgain(request, "not tried: too many webhooks fail", RetrySchedule.next)
    failing++
    return Effect.ensuring(
      sent(request, found),
      Effect.sync(() => failing--)
    )
  }

  const sent = Effect.fnUntraced(function* (request: Request, found: Found) {
    const { endpoint, owner } = found
    const id = request.rows[0].endpoint
    const secrets = yield* Effect.option(secretsOf(owner, id, endpoint))
    // Another process may know the secret of the installation. The endpoint has not failed.
    if (Option.isNone(secrets))
      return yield* allAgain(request, "its secret is sealed with another VERIFY_SECRET", RetrySchedule.nextByAge)
    const receiver = { url: endpoint.url, secrets: secrets.value }
    const events = yield* wantedOf(request, endpoint.events)
    const lists = request.batch === null ? events.map(alone) : yield* inLists(events, request.batch)
    const outcomes = yield* oneByOne(receiver, lists)
    if (outcomes.some(({ _tag }) => _tag === "Gone")) {
      yield* EndpointStates.gone(settings, id, found)
      return yield* dropped(request)
    }
    const failure = outcomes.find(({ _tag }) => _tag === "Failed")
    if (failure !== undefined) {
      if (yield* EndpointStates.failed(settings, id, found)) return yield* dropped(request)
      return yield* allAgain(request, failure.kept, RetrySchedule.next)
    }
    const [taken] = outcomes
    if (taken !== undefined) yield* EndpointStates.taken(settings, id, found)
    const answer = taken?.kept ?? "no event of its types"
    return request.rows.map((row) => settlement(row, { _tag: "Sent" }, answer))
  })

  /** The events of a request that its endpoint wants, with their ids. */
  const wantedOf = ({ rows }: Request, patterns: ReadonlyArray<string>) =>
    Effect.forEach(rows, eventsOf, { concurrency: Math.min(rows.length, READ_AT_ONCE) }).pipe(
      Effect.map((events) => events.flat().filter(({ type }) => wants(patterns, type)))
    )

  /** Lists of so many events. A later attempt may be at other events, so each list has an id of its own. */
  const inLists = (events: ReadonlyArray<WebhookDelivery.Identified>, most: number) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      Arr.chunksOf(events, most).map((body) => ({ id: `bat_${nextUlid(now)}`, body }))
    )

  /**
   * One after the other, because a place has one request under way. Events after a failed one wait for the next
   * attempt.
   */
  const oneByOne = Effect.fnUntraced(function* (receiver: WebhookDelivery.Receiver, requests: ReadonlyArray<Post>) {
    const outcomes: Array<Effect.Success<ReturnType<typeof deliver>>> = []
    for (const { body, id } of requests) {
      const outcome = yield* deliver(receiver, id, body)
      outcomes.push(outcome)
      if (outcome._tag === "Gone" || outcome._tag === "Failed") break
    }
    return outcomes
  })

  /** An endpoint that is gone leaves nothing behind that would be sent to it. */
  const dropped = ({ rows }: Request) => Effect.as(store.dropEvents(rows[0].endpoint), [])

  const known = Effect.fnUntraced(function* (request: Request) {
    const [row] = request.rows
    if (isHandlers(row.endpoint)) return [yield* byHandlers(row)]
    const found = yield* endpoints.find(row.endpoint, row.account)
    if (found !== null) return yield* found.state?.disabled ? dropped(request) : byWebhook(request, found)
    const now = yield* Clock.currentTimeMillis
    if (request.rows.every(({ at }) => now - at >= YOUNG)) return yield* dropped(request)
    return request.rows.map((row) => settlement(row, { _tag: "Retry", after: UNKNOWN_FOR }, Answer.NOT_READ_YET))
  })

  return Effect.fnUntraced(function* ({ batch, rows }: Request) {
    const later = rows
      .filter((row) => !Described.isKnown(row))
      .map((row) => settlement(row, { _tag: "Retry", after: KNOWN_ELSEWHERE }, "of a newer program"))
    const now = rows.filter((row) => Described.isKnown(row))
    return Arr.isReadonlyArrayNonEmpty(now) ? [...later, ...(yield* known({ rows: now, batch }))] : later
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
    answer: Answer.read(answer).words
  })
  return settlement(row, { _tag: "Failed" }, answer)
})

/** Settles the events of a request that was not made, for want of time, as if it had failed. */
export const postponed = (request: Request): Effect.Effect<ReadonlyArray<Settlement>> =>
  allAgain(request, "not tried: it was slow to answer others", RetrySchedule.next)

const allAgain = (
  { rows }: Request,
  answer: string,
  next: (attempts: RetrySchedule.Attempts) => number | null
): Effect.Effect<ReadonlyArray<Settlement>> => Effect.forEach(rows, (row) => again(row, answer, next))
