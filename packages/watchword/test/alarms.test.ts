import { X509Certificate } from "node:crypto"
import { smsc } from "@watchword/sandbox/smsc"
import { layer, link } from "@watchword/sms/smpp"
import * as Redacted from "effect/Redacted"
import { selfSigned } from "../../../test/certificate.ts"
import { until } from "../../../test/until.ts"
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

it("a service raises an alarm of a carrier's certificate that ends in a day", async () => {
  const { cert, key } = selfSigned()
  const carrier = await smsc({ tls: { cert, key } })
  const receiver = await receive()
  const { advance, clock } = movable()
  const to = { host: "127.0.0.1", port: carrier.port, systemId: "client", password: Redacted.make("secret") }
  const service = await createWatchword({
    store: memory(),
    clock,
    sms: layer({ links: [link({ ...to, tls: { ca: cert } })] }),
    webhooks: { allowPrivate: true },
    alarms: alarms({ webhook: { url: receiver.url, secret } })
  })
  try {
    await until(() => carrier.bound.length > 0)
    // A process writes it down after five seconds; alarms look once a minute.
    advance(5_000)
    await until(() => {
      advance(60_000)
      return receiver.got.length > 0
    })
    const { body = "", headers = {} } = receiver.got[0] ?? {}
    expect(await verifyWebhook(body, headers, { secret, now: clock.now })).toMatchObject({
      type: "alarm.raised",
      data: {
        kind: "certificate_ends",
        about: `sms:127.0.0.1:${carrier.port}`,
        severity: "bad",
        text: expect.stringContaining(new Date(new X509Certificate(cert).validTo).toISOString())
      }
    })
  } finally {
    await service.dispose()
    await carrier.stop()
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
