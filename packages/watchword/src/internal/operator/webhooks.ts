/**
 * Webhooks: endpoints of accounts and of the installation, and the balance below which they are told.
 */
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import * as WebhookCommands from "@watchword/operator/commands/WebhookCommands"
import type { EventPattern } from "@watchword/schemas/Event"
import type { InstallationSecret } from "@watchword/send/internal/InstallationSecret"
import type { Settings } from "@watchword/store/Settings"
import type { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reading } from "../Reading.ts"
import { type Run, objectOf } from "./Run.ts"

/** An endpoint that events are posted to. */
export interface NewWebhook {
  /** Its https address. */
  readonly url: string
  /** Types, those of channels of your own among them, or patterns such as `verification.*`; all events when left out. */
  readonly events?: ReadonlyArray<EventPattern | (string & {})>
  /** The account whose events it gets; those of all accounts when left out. */
  readonly account?: string | null
  /** Whether a private address is added that this service does not send to, for others on its database that do. */
  readonly anyway?: boolean
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
  /** Requests that may be under way at once, 8 unless set. */
  readonly concurrency: number
  /** The most events of a request; null where each has its own. */
  readonly batch: number | null
  readonly pending: number
  readonly oldestPending: Date | null
  /** Events that are not tried any more, of the last week. */
  readonly failed: number
  /** Such as `200` or `timeout`. */
  readonly lastAnswer: { readonly answer: string; readonly at: Date } | null
}

export interface WebhookThroughput {
  readonly concurrency?: number | null
  readonly batch?: number | null
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
  /**
   * Sets how many requests to it are under way at once (1 to 64), and how many events one may carry (1 to 100), whose body
   * is a list then; null for as usual, and what is left out stays.
   */
  readonly setThroughput: (webhookId: string, throughput: WebhookThroughput) => Promise<void>
  /** Gives it a new secret. Events are signed with the old one too for `overlap` milliseconds, a day unless given. */
  readonly rotate: (webhookId: string, options?: { readonly overlap?: number }) => Promise<WebhookSecret>
  /** Has events sent again to an endpoint that was disabled. */
  readonly enable: (webhookId: string) => Promise<void>
  /** Sends it `webhook.test`, and resolves to what it has answered within twenty seconds. */
  readonly test: (webhookId: string) => Promise<WebhookTest>
  /** Sends again what happened at a time or later, a week back at most, and resolves to the number of events. */
  readonly replay: (webhookId: string, since: Date) => Promise<number>
  /** Sets the available balance, in EUR, below which an account has `balance.low`; null takes it away. */
  readonly setLowBalance: (account: string | null, euros: number | string | null) => Promise<void>
}

const rotation = reading(Schema.Struct({ overlap: Schema.optional(Schema.Number) }))

export const make = (run: Run<InstallationSecret | Settings | Store>): WebhookOperator => ({
  add: async (webhook) => {
    const { id, secret, warning } = await run(
      Effect.flatMap(objectOf(webhook, "add({ url })"), WebhookCommands.add.call)
    )
    return { webhookId: id, secret, warning }
  },
  list: async (account) => (await run(WebhookCommands.list.call({ account }))).webhooks,
  remove: async (id) => void (await run(WebhookCommands.remove.call({ id }))),
  setThroughput: async (id, throughput) =>
    void (await run(
      Effect.flatMap(objectOf(throughput, "setThroughput(id, { concurrency })"), (given) =>
        WebhookCommands.throughput.call({ ...given, id })
      )
    )),
  rotate: (id, options = {}) =>
    run(
      Effect.gen(function* () {
        const { overlap } = yield* rotation(options)
        const { secret } = yield* EndpointAdmin.rotate(id, overlap === undefined ? {} : { overlap })
        return { webhookId: id, secret }
      })
    ),
  enable: async (id) => void (await run(WebhookCommands.enable.call({ id }))),
  test: (id) => run(EndpointAdmin.test(id)),
  replay: async (id, since) => (await run(WebhookCommands.replay.call({ id, since }))).events,
  setLowBalance: async (account, euros) => void (await run(WebhookCommands.lowBalance.call({ account, euros })))
})
