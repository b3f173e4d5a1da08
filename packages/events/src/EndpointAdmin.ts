/**
 * The operator's side of webhooks: endpoints of an account, or of the installation for all accounts, as they are kept
 * and as operators change them. Running processes pick up a change within a second.
 */
import { BadRequest, NotFound, type ServiceUnavailable, invalid } from "@watchword/schemas/Errors"
import { type EventId, nextEventId } from "@watchword/schemas/Ids"
import { InstallationSecret, makeSeals, noInstallationSecret } from "@watchword/send/pipeline"
import { type Owner, Settings, owners } from "@watchword/store/Settings"
import { type EventState, type EventSummary, type KeptEvent, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Descriptions, NO_PATTERN, isKnown, isPattern } from "./internal/Described.ts"
import {
  type Endpoint,
  type Secret,
  type State,
  endpoints,
  isWebAddress,
  newSecret,
  nextWebhookId,
  rotated,
  states,
  wants
} from "./internal/Endpoint.ts"
import * as Answer from "./internal/Answer.ts"
import * as Contents from "./internal/Contents.ts"
import * as FindEndpoint from "./internal/FindEndpoint.ts"
import * as Secrets from "./internal/Secrets.ts"
import { type Throughput, throughputs } from "./internal/Throughput.ts"
import { PRIVATE_REFUSED, WebhookSender } from "./internal/WebhookSender.ts"

export { endpoints, newSecret, nextWebhookId, states } from "./internal/Endpoint.ts"
export { find } from "./internal/FindEndpoint.ts"
export { lowBalance, set as setLowBalance } from "./internal/LowBalance.ts"
export { CONCURRENCY, type Throughput } from "./internal/Throughput.ts"

export {
  /** The secrets of the installation, under which webhook secrets are sealed. */
  InstallationSecret
}

/** No secret of the installation: the store holds the secrets of webhooks as they are. */
export const layerUnsealed: Layer.Layer<InstallationSecret> = noInstallationSecret

type Failure = BadRequest | NotFound | ServiceUnavailable | StoreError

/** An endpoint as an operator sees it, without its secrets. */
export interface Listed {
  readonly id: string
  readonly owner: Owner
  readonly endpoint: Pick<Endpoint, "url" | "events" | "created_at">
  readonly state: State | null
  readonly throughput: Throughput
  readonly events: Omit<EventSummary, "lastAnswer"> & { readonly lastAnswer: LastAnswer | null }
}

/** The last answer to an event. */
export interface LastAnswer extends Omit<Answer.Kept, "words"> {
  /** In a few words, such as `204` or `timeout`. */
  readonly answer: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** An event that is kept, and what became of it. */
export interface Kept extends Omit<KeptEvent, "lastAnswer"> {
  readonly lastAnswer: LastAnswer | null
}

export interface NewEndpoint {
  readonly url: string
  /** All unless given. */
  readonly events?: ReadonlyArray<string>
  /** Whether an address is added that this process would refuse to send to. */
  readonly anyway?: boolean
}

/** A secret, which is shown once. */
export interface Issued {
  readonly id: string
  readonly secret: string
}

/** What came of the event `webhook.test`. */
export interface Tried {
  /** The answer in a few words, such as `204` or `timeout`; null if no process has sent the event. */
  readonly answer: string | null
  /** Whether it was a 2xx. */
  readonly taken: boolean
  /** The answer in a sentence. */
  readonly message: string
}

/**
 * Adds an endpoint; all events unless some are named. Fails with `BadRequest`, naming each field that is wrong, even if
 * the address is private and this process allows none. With `anyway` such a one is added, for servers that allow what
 * this process does not, and the warning says that others will refuse it; null if nothing is known against the address.
 */
export const add = Effect.fnUntraced(function* (
  owner: Owner,
  { anyway = false, events = ["*"], url }: NewEndpoint
): Effect.fn.Return<Issued & { readonly warning: string | null }, Failure, InstallationSecret | Settings> {
  const settings = yield* Settings
  const { refuses } = yield* WebhookSender
  const descriptions = yield* Descriptions
  const issues = events.flatMap((event, place) =>
    isPattern(descriptions, event) ? [] : [{ path: `events[${place}]`, message: NO_PATTERN }]
  )
  const warning = isWebAddress(url) && refuses(url) ? `The address is private: ${PRIVATE_REFUSED}.` : null
  if (warning !== null && !anyway) issues.push({ path: "url", message: MUST_BE_PUBLIC })
  if (issues.length > 0) return yield* invalid(issues, "The webhook is not valid.")
  const created_at = yield* Clock.currentTimeMillis
  const id = nextWebhookId(created_at)
  const secret = newSecret()
  const secrets = yield* Secrets.kept(yield* makeSeals, Secrets.placeOf(owner, id), [{ secret, until: null }])
  yield* settings.set(owner, endpoints.of(id), { url, events, ...secrets, created_at })
  return { id, secret, warning }
})

const MUST_BE_PUBLIC = `is private: ${PRIVATE_REFUSED}. Nothing was added; set anyway where the servers have it, and what adds the webhook has not`

/** All endpoints, the installation's first, or one owner's. */
export const list = Effect.fnUntraced(function* (
  owner?: Owner
): Effect.fn.Return<ReadonlyArray<Listed>, StoreError, Settings | Store> {
  const settings = yield* Settings
  const store = yield* Store
  const own = yield* settings.all(null, throughputs)
  const found = yield* Effect.forEach(owner === undefined ? yield* owners : [owner], (owner) =>
    Effect.gen(function* () {
      const all = [...(yield* settings.all(owner, endpoints))]
      const state = all.length === 0 ? null : yield* settings.all(owner, states)
      return yield* Effect.forEach(all, ([id, { created_at, events, url }]) =>
        Effect.map(store.eventSummary(id), (summary) => ({
          id,
          owner,
          endpoint: { url, events, created_at },
          state: state?.get(id) ?? null,
          throughput: own.get(id) ?? {},
          events: withAnswer(summary)
        }))
      )
    })
  )
  return found.flat()
})

const withAnswer = <A extends Pick<KeptEvent, "lastAnswer">>({ lastAnswer, ...rest }: A) => {
  if (lastAnswer === null) return { ...rest, lastAnswer }
  const { words, ...kept } = Answer.read(lastAnswer.answer)
  return { ...rest, lastAnswer: { answer: words, at: lastAnswer.at, ...kept } }
}

/** Removes an endpoint, and the events that wait for it. */
export const remove = Effect.fnUntraced(function* (id: string): Effect.fn.Return<void, Failure, Settings | Store> {
  const settings = yield* Settings
  const { owner } = yield* FindEndpoint.find(id)
  yield* settings.remove(owner, endpoints.of(id))
  yield* settings.remove(owner, states.of(id))
  yield* settings.remove(null, throughputs.of(id))
  yield* (yield* Store).dropEvents(id)
})

/** The throughput of an endpoint, as it is set. */
export const throughputOf = Effect.fnUntraced(function* (
  id: string
): Effect.fn.Return<Throughput, Failure, Settings | Store> {
  yield* FindEndpoint.find(id)
  return (yield* (yield* Settings).all(null, throughputs)).get(id) ?? {}
})

/**
 * Sets how many requests to an endpoint are under way at once, and how many events one may carry; null for as usual.
 */
export const setThroughput = Effect.fnUntraced(function* (
  id: string,
  given: { readonly [K in keyof Throughput]?: Throughput[K] | null }
): Effect.fn.Return<Throughput, Failure, Settings | Store> {
  const settings = yield* Settings
  const before = yield* throughputOf(id)
  const { batch = before.batch ?? null, concurrency = before.concurrency ?? null } = given
  const throughput = { ...(concurrency !== null && { concurrency }), ...(batch !== null && { batch }) }
  if (batch === null && concurrency === null) yield* settings.remove(null, throughputs.of(id))
  else yield* settings.set(null, throughputs.of(id), throughput)
  return throughput
})

/** How long the old secret signs together with the new one, in milliseconds. */
const OVERLAP = Duration.toMillis("1 day")

/** Gives an endpoint a new secret. Events are signed with both for a time, a day unless given. */
export const rotate = Effect.fnUntraced(function* (
  id: string,
  { overlap = OVERLAP }: { readonly overlap?: number } = {}
): Effect.fn.Return<Issued & { readonly oldUntil: number }, Failure, InstallationSecret | Settings | Store> {
  const { endpoint, owner } = yield* FindEndpoint.find(id)
  const secret = newSecret()
  const oldUntil = (yield* Clock.currentTimeMillis) + overlap
  yield* change(owner, id, endpoint, (secrets) => rotated(secrets, secret, oldUntil))
  return { id, secret, oldUntil }
})

/** Seals the unsealed secrets of an owner's endpoints under the installation's secret. */
export const seal = Effect.fnUntraced(function* (
  owner: Owner,
  secret: string
): Effect.fn.Return<void, Failure, InstallationSecret | Settings> {
  for (const [id, endpoint] of yield* (yield* Settings).all(owner, endpoints)) {
    if (endpoint.sealed?.secret === secret) continue
    yield* Effect.catchTag(
      change(owner, id, endpoint, (secrets) => secrets),
      "SERVICE_UNAVAILABLE",
      ({ message }) =>
        Effect.logError("the secret of a webhook cannot be read; add the webhook again", { webhook: id, message })
    )
  }
})

/** Has events sent again to an endpoint that was disabled. */
export const enable = Effect.fnUntraced(function* (id: string): Effect.fn.Return<void, Failure, Settings | Store> {
  const { owner } = yield* FindEndpoint.find(id)
  yield* (yield* Settings).remove(owner, states.of(id))
})

/** How long a test waits for an answer, which has 15 seconds, and how often it looks. */
const ANSWERED_WITHIN = "20 seconds"
const LOOK_EVERY = "200 millis"

/** Has a running process send the event `webhook.test` to an endpoint, and waits twenty seconds for the answer. */
export const test = Effect.fnUntraced(function* (id: string): Effect.fn.Return<Tried, Failure, Settings | Store> {
  const store = yield* Store
  const { endpoint, owner, state } = yield* FindEndpoint.find(id)
  if (state?.disabled) return yield* new BadRequest({ message: "The webhook is disabled; enable it first." })
  const account = owner ?? (yield* store.accounts)[0]?.account.id
  if (account === undefined) return yield* new BadRequest({ message: "There is no account to test the webhook with." })
  const before = (yield* store.eventSummary(id)).lastAnswer
  const at = yield* Clock.currentTimeMillis
  yield* store.appendEvents([{ id: nextEventId(at), endpoint: id, account, mode: "live", fact: { _tag: "Test" }, at }])
  const answered = Effect.gen(function* () {
    for (;;) {
      const { lastAnswer } = yield* store.eventSummary(id)
      const isNew = lastAnswer !== null && lastAnswer.at !== before?.at
      if (isNew && lastAnswer.answer !== Answer.NOT_READ_YET) return Answer.read(lastAnswer.answer).words
      yield* Effect.sleep(LOOK_EVERY)
    }
  })
  const answer = yield* Effect.timeoutOption(answered, ANSWERED_WITHIN)
  if (Option.isNone(answer)) return { answer: null, taken: false, message: UNSENT }
  const words = answer.value
  return { answer: words, taken: Answer.isTaken(words), message: Answer.inSentence(words, endpoint.url) }
})

const UNSENT = "no server has sent the event yet; does one run on this database?"

/**
 * Sends the events of an endpoint again that happened at a time or later, and answers how many. They are kept for a
 * week.
 */
export const replay = Effect.fnUntraced(function* (
  id: string,
  since: number
): Effect.fn.Return<number, Failure, Settings | Store> {
  if (!(since >= 0)) {
    const issues = [{ path: "since", message: "must be a time after 1970" }]
    return yield* new BadRequest({ message: "The time is not valid.", issues })
  }
  yield* FindEndpoint.find(id)
  return yield* (yield* Store).replayEvents({ endpoint: id, since })
})

/** Events of an endpoint in a state: pending ones the soonest due first, others the last answered first. */
export const events = Effect.fnUntraced(function* (
  id: string,
  query: { readonly state: EventState; readonly limit: number }
): Effect.fn.Return<ReadonlyArray<Kept>, Failure, Settings | Store> {
  yield* FindEndpoint.find(id)
  return (yield* (yield* Store).events({ endpoint: id, ...query })).map(withAnswer)
})

/** An event with the requests that it is, or was, posted as. */
export interface Opened extends Kept {
  /** The number of its record; null for an event without one. */
  readonly to: string | null
  /** The bodies as the next attempt posts them, each under its `webhook-id`. None if its record is gone. */
  readonly posts: ReadonlyArray<{ readonly id: string; readonly type: string; readonly body: unknown }>
}

/** One of the first events of {@link events}, whatever its state. */
export const event = Effect.fnUntraced(function* (
  id: string,
  eventId: EventId
): Effect.fn.Return<Opened, Failure, Settings | Store> {
  const { endpoint } = yield* FindEndpoint.find(id)
  const found = yield* (yield* Store).event({ endpoint: id, id: eventId })
  if (found === null) return yield* new NotFound({ message: "The webhook has no such event." })
  const record = yield* Contents.recordOf(found)
  const contents = isKnown(found) ? yield* Contents.eventsOf(found) : []
  const wanted = contents.filter(({ type }) => wants(endpoint.events, type))
  const posts = wanted.map(({ id, ...body }) => ({ id, type: body.type, body }))
  return { ...withAnswer(found), to: record?.to ?? null, posts }
})

/** Sends one event of an endpoint again, whatever became of it, unless it is being sent. */
export const sendAgain = Effect.fnUntraced(function* (
  id: string,
  event: EventId
): Effect.fn.Return<void, Failure, Settings | Store> {
  yield* FindEndpoint.find(id)
  if (yield* (yield* Store).replayEvent({ endpoint: id, id: event })) return
  return yield* new NotFound({ message: "The webhook has no such event, or it is being sent now." })
})

/** Writes an endpoint with other secrets, and everything else as it is. */
const change = Effect.fnUntraced(function* (
  owner: Owner,
  id: string,
  endpoint: Endpoint,
  f: (secrets: ReadonlyArray<Secret>) => ReadonlyArray<Secret>
): Effect.fn.Return<void, Failure, InstallationSecret | Settings> {
  const seals = yield* makeSeals
  const place = Secrets.placeOf(owner, id)
  const { created_at, events, url } = endpoint
  const kept = yield* Secrets.kept(seals, place, f(yield* Secrets.opened(seals, place, endpoint)))
  yield* (yield* Settings).set(owner, endpoints.of(id), { url, events, ...kept, created_at })
})
