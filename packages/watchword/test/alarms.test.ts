import { verifyWebhook } from "@watchword/callback-signature/webhook"
import { afterEach, expect, it } from "vitest"
import { alarms, createWatchword, memory } from "watchword"
import { closeReceivers, receive } from "../../events/test/receiver.ts"
import { movable } from "./movable.ts"

const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDAAAAAAAA"

afterEach(closeReceivers)

it("a service raises alarms by itself, and tries their destinations", async () => {
  const receiver = await receive()
  const { advance, clock } = movable()
  const service = await createWatchword({
    store: memory(),
    clock,
    webhooks: { allowPrivate: true },
    alarms: alarms({ webhook: { url: receiver.url, secret } })
  })
  try {
    expect(await service.operator.alarm.test()).toEqual({
      destinations: [{ destination: "webhook", taken: true, answer: "204" }]
    })
    const { account_id: account } = await service.operator.account.create({ name: "Acme" })
    await service.operator.webhook.lowBalance({ account_id: account, euros: 10 })
    advance(60_000)
    await receiver.until(2)
    const { body = "", headers = {} } = receiver.got[1] ?? {}
    expect(await verifyWebhook(body, headers, { secret, now: clock.now })).toMatchObject({
      type: "alarm.raised",
      data: { kind: "balance_low", about: account, severity: "bad" }
    })
  } finally {
    await service.dispose()
  }
})

it("a service with a wrong destination does not start", async () => {
  const given = { webhook: { url: "ops.example.com", secret: "whsec_short" }, again: 1, quietHours: "at night" }
  await expect(createWatchword({ store: memory(), alarms: alarms(given) })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    issues: [
      { path: "alarms.webhook.url" },
      { path: "alarms.webhook.secret" },
      { path: "alarms.again" },
      { path: "alarms.quietHours" }
    ]
  })
})
