/**
 * Webhooks: endpoints of accounts and of the installation, and the balance below which they are told.
 */
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import * as LowBalance from "@watchword/events/internal/LowBalance"
import type { EventPattern } from "@watchword/schemas/Event"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import type { InstallationSecret } from "@watchword/send/internal/InstallationSecret"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"
import { Overlap, type Run, ownerId } from "./Run.ts"

/** An endpoint that events are posted to. */
export interface NewWebhook {
  /** Its https address. */
  readonly url: string
  /** Types, those of channels of your own among them, or patterns such as `verification.*`; all events when left out. */
  readonly events?: ReadonlyArray<EventPattern | (string & {})>
  /** Whose events it is told of; those of all accounts when left out. */
  readonly account?: string | null
}

/** An endpoint with what waits for it and what it has answered last. */
export interface WebhookInfo {
  readonly id: string
  readonly account: string | null
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly createdAt: Date
  /** Since when it has taken no event; null while all is well. */
  readonly failingSince: Date | null
  /** Why no events are sent to it: it has answered 410 (`gone`), or has failed for five days. Null while they are. */
  readonly disabled: "gone" | "failing" | null
  readonly pending: number
  readonly oldestPending: Date | null
  /** Events that are not tried any more, of the last week. */
  readonly failed: number
  /** Such as `200` or `timeout`. */
  readonly lastAnswer: { readonly answer: string; readonly at: Date } | null
}

/** A secret, which cannot be had again. */
export interface WebhookSecret {
  readonly webhookId: string
  readonly secret: string
}

export type WebhookTest = EndpointAdmin.Tried

export interface AddedWebhook extends WebhookSecret {
  /** That the address is private, and will be refused; null where nothing is known against it. */
  readonly warning: string | null
}

export interface WebhookOperator {
  /** Adds an endpoint. Its secret, with which it verifies events, cannot be had again. */
  readonly add: (webhook: NewWebhook) => Promise<AddedWebhook>
  /** All endpoints, or with an account its own, or with null those of the installation. */
  readonly list: (account?: string | null) => Promise<ReadonlyArray<WebhookInfo>>
  /** Removes an endpoint, and the events that wait for it. */
  readonly remove: (webhookId: string) => Promise<void>
  /** Gives it a new secret. Events are signed with the old one too for `overlap` milliseconds, a day unless given. */
  readonly rotate: (webhookId: string, options?: { readonly overlap?: number }) => Promise<WebhookSecret>
  /** Has events sent again to an endpoint that was disabled. */
  readonly enable: (webhookId: string) => Promise<void>
  /** Sends it `webhook.test`, and resolves to what it has answered within twenty seconds. */
  readonly test: (webhookId: string) => Promise<WebhookTest>
  /** Sends again what happened at a time or later, a week back at most, and resolves to the number of events. */
  readonly replay: (webhookId: string, since: Date) => Promise<number>
  /** Sets the available balance, in EUR, below which `balance.low` is told; null takes it away. */
  readonly setLowBalance: (account: string | null, euros: number | string | null) => Promise<void>
}

const newWebhook = reading(
  Schema.Struct({
    url: Schema.String,
    events: Schema.optionalKey(Schema.Array(Schema.String)),
    account: Schema.optional(Schema.NullOr(Schema.String))
  }).annotate({ message: "must be an object: add({ url })" })
)
const rotation = reading(Schema.Struct({ overlap: Overlap }))

export const make = (run: Run<InstallationSecret | Settings | Store>): WebhookOperator => ({
  add: (wanted) =>
    run(
      Effect.gen(function* () {
        const { account, ...webhook } = yield* newWebhook(wanted)
        const added = yield* EndpointAdmin.add(yield* ownerId(account), webhook)
        return { ...secretOf(added), warning: added.warning }
      })
    ),
  list: (account) =>
    run(
      Effect.map(
        account === undefined ? EndpointAdmin.list() : Effect.flatMap(ownerId(account), EndpointAdmin.list),
        (all) => all.map(infoOf)
      )
    ),
  remove: (id) => run(EndpointAdmin.remove(id)),
  rotate: (id, options = {}) =>
    run(
      Effect.gen(function* () {
        const { overlap } = yield* rotation(options)
        return secretOf(yield* EndpointAdmin.rotate(id, overlap === undefined ? {} : { overlap }))
      })
    ),
  enable: (id) => run(EndpointAdmin.enable(id)),
  test: (id) => run(EndpointAdmin.test(id)),
  replay: (id, since) => run(EndpointAdmin.replay(id, since.getTime())),
  setLowBalance: (account, euros) => run(Effect.flatMap(ownerId(account), (owner) => LowBalance.set(owner, euros)))
})

const secretOf = ({ id, secret }: EndpointAdmin.Issued): WebhookSecret => ({ webhookId: id, secret })

const infoOf = ({ endpoint, events, id, owner, state }: EndpointAdmin.Listed): WebhookInfo => ({
  id,
  account: owner,
  url: endpoint.url,
  events: endpoint.events,
  createdAt: new Date(endpoint.created_at),
  failingSince: dateOf(state?.failing_since),
  disabled: state?.disabled?.why ?? null,
  pending: events.pending,
  oldestPending: dateOf(events.oldestPending),
  failed: events.failed,
  lastAnswer: events.lastAnswer && { ...events.lastAnswer, at: new Date(events.lastAnswer.at) }
})

const dateOf = (at: number | null | undefined): Date | null => (at == null ? null : new Date(at))
