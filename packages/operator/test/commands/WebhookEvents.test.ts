import { layerUnsealed } from "@watchword/events/EndpointAdmin"
import { add, events, sendAgain } from "../../src/commands/WebhookCommands.ts"
import { event } from "../../src/commands/WebhookEventCommand.ts"
import { type AccountId, nextDeliveryId, nextEventId } from "@watchword/schemas/Ids"
import { type Event, type Settlement, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { accountFor } from "../../../../test/stores/fixtures.ts"
import { onSqlite } from "./onSqlite.ts"

const { ask, read, run } = onSqlite()

const HOUR = 3_600_000

const eventOf = (endpoint: string, account: AccountId, fact: Event["fact"] = { _tag: "Test" }): Event => {
  const at = Date.now() - HOUR
  return { id: nextEventId(at), endpoint, account, mode: "live", fact, at }
}

/** A webhook with three events: a failed event of a record, an event that waits after an attempt, and a sent one. */
const made = () =>
  run(
    Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      const added = yield* Effect.provide(
        Effect.flatMap(add.ask({ url: "https://example.com/hook" }), ({ run }) => run),
        layerUnsealed
      )
      const webhook = added.json.webhook_id
      const delivery = nextDeliveryId(Date.now())
      const changed = { channel: "sms", delivery, version: 1, status: "delivered", moved: true, note: null } as const
      const failed = eventOf(webhook, account, { _tag: "DeliveryChanged", phase: "accepted", ...changed })
      const waiting = eventOf(webhook, account)
      const sent = eventOf(webhook, account)
      yield* store.appendEvents([failed, waiting, sent, eventOf("whk_other", account)])
      const outcomes = new Map<string, Pick<Settlement, "outcome" | "answer">>([
        [failed.id, { outcome: { _tag: "Failed" }, answer: "500" }],
        [waiting.id, { outcome: { _tag: "Retry", after: HOUR }, answer: "timeout" }],
        [sent.id, { outcome: { _tag: "Sent" }, answer: "204" }]
      ])
      for (const { id, until } of yield* store.takeEvents({ lease: HOUR, limit: 9, perEndpoint: 9 })) {
        const settlement = outcomes.get(id)
        if (settlement !== undefined) yield* store.settleEvents([{ id, until, ...settlement }])
      }
      return { account, webhook, delivery, failed: failed.id, waiting: waiting.id, sent: sent.id }
    })
  )

describe("webhook events", () => {
  it("shows those in a state, what was tried, and the last answer", async () => {
    const { account, delivery, failed, sent, waiting, webhook } = await made()
    const iso: unknown = expect.stringMatching(/^20.*Z$/)
    const common = { account_id: account, mode: "live", at: iso, attempts: 1 }
    const test = { ...common, kind: "test", channel: null, delivery_id: null, status: null }
    expect(await ask(events, { webhook_id: webhook })).toEqual({
      events: [{ ...test, id: waiting, state: "pending", last_answer: { answer: "timeout", at: iso }, next_at: iso }]
    })
    expect(await ask(events, { webhook_id: webhook, state: "sent" })).toEqual({
      events: [{ ...test, id: sent, state: "sent", last_answer: { answer: "204", at: iso }, next_at: null }]
    })
    const record = { kind: "delivery", channel: "sms", delivery_id: delivery, status: "delivered" }
    expect(await ask(events, { webhook_id: webhook, state: "failed" })).toEqual({
      events: [
        { ...common, ...record, id: failed, state: "failed", last_answer: { answer: "500", at: iso }, next_at: null }
      ]
    })
    expect(await read(events, { webhook_id: webhook, state: "failed" })).toEqual([
      expect.stringContaining(`${failed}  sms ${delivery} delivered  failed after 1 attempt  500 at 20`)
    ])
    await expect(ask(events, { webhook_id: "whk_none" })).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(ask(events, { webhook_id: webhook, state: "lost" })).rejects.toMatchObject({
      issues: [{ path: "state" }]
    })
  })
})

describe("webhook event", () => {
  it("shows the body that is posted, and the last answer, as older programs have kept it too", async () => {
    const { account, failed, waiting, webhook } = await made()
    const opened = await ask(event, { webhook_id: webhook, event_id: waiting })
    const posts = [
      {
        id: `evt_${waiting}_test`,
        type: "webhook.test",
        body: expect.objectContaining({
          type: "webhook.test",
          data: expect.objectContaining({ account_id: account, webhook_id: webhook })
        })
      }
    ]
    const last = { answer: "timeout", took: null, said: null }
    expect(opened).toMatchObject({ id: waiting, state: "pending", attempts: 1, to: null, posts, last_answer: last })
    // Its record does not exist.
    expect(await ask(event, { webhook_id: webhook, event_id: failed })).toMatchObject({ state: "failed", posts: [] })
    expect(await read(event, { webhook_id: webhook, event_id: waiting })).toContainEqual(
      expect.stringContaining('"type": "webhook.test"')
    )
    await run(Store.use((store) => store.appendEvents(Array.from({ length: 150 }, () => eventOf(webhook, account)))))
    expect(await ask(event, { webhook_id: webhook, event_id: waiting })).toMatchObject({ id: waiting })
    await expect(ask(event, { webhook_id: webhook, event_id: nextEventId(Date.now()) })).rejects.toMatchObject({
      code: "NOT_FOUND"
    })
  })
})

describe("webhook send-again", () => {
  it("makes one event due now, by its id or by that of its receiver", async () => {
    const { failed, sent, waiting, webhook } = await made()
    expect(await ask(sendAgain, { webhook_id: webhook, event_id: failed })).toEqual({
      webhook_id: webhook,
      event_id: failed
    })
    await ask(sendAgain, { webhook_id: webhook, event_id: `evt_${waiting}_test` })
    const due = await run(Store.use((store) => store.takeEvents({ lease: HOUR, limit: 9, perEndpoint: 9 })))
    expect(due.map(({ id }) => id).toSorted()).toEqual([failed, waiting].toSorted())
    expect(await ask(events, { webhook_id: webhook, state: "sent" })).toMatchObject({ events: [{ id: sent }] })
  })

  it("names an event that the webhook does not have, and one that is being sent", async () => {
    const { account, sent, webhook } = await made()
    const refused = { code: "NOT_FOUND", message: expect.stringContaining("no such event") }
    const none = nextEventId(Date.now())
    await expect(ask(sendAgain, { webhook_id: webhook, event_id: none })).rejects.toMatchObject(refused)
    await run(Store.use((store) => store.appendEvents([eventOf("whk_other", account)])))
    await ask(sendAgain, { webhook_id: webhook, event_id: sent })
    await run(Store.use((store) => store.takeEvents({ lease: HOUR, limit: 9, perEndpoint: 9 })))
    await expect(ask(sendAgain, { webhook_id: webhook, event_id: sent })).rejects.toMatchObject(refused)
    await expect(ask(sendAgain, { webhook_id: webhook, event_id: "x" })).rejects.toMatchObject({
      issues: [{ path: "event_id" }]
    })
  })
})
