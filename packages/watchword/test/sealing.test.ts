/**
 * Secrets of webhooks and codes of test numbers in a database: whether a copy reveals them, and who can use them.
 */
import { verifyWebhook } from "@watchword/callback-signature/webhook"
import { AccountId } from "@watchword/schemas/Ids"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { afterEach, describe, expect, it, onTestFinished } from "vitest"
import { type Options, createWatchword } from "watchword"
import { closeReceivers, receive } from "../../events/test/receiver.ts"
import { until } from "../../../test/until.ts"

const old = "0123456789abcdef0123456789abcdef"
const current = "fedcba9876543210fedcba9876543210"
const tested = "+4915123456788"
const SENTENCE =
  "Settings of this database are sealed with a secret of the installation that is not known here: set VERIFY_SECRET, " +
  "or the option secret, to that of the servers."

afterEach(closeReceivers)

const ownerOf = Schema.decodeSync(AccountId)

/** A store, and services on it that come and go. */
const installation = () => {
  const memory = makeMemory()
  const serve = async (secret?: Options["secret"]) => {
    const service = await createWatchword({
      store: Layer.succeed(Store, memory),
      webhooks: { allowPrivate: true },
      ...(secret === undefined ? {} : { secret })
    })
    let isOver = false
    const end = async () => {
      if (!isOver) await service.dispose()
      isOver = true
    }
    onTestFinished(end)
    return { service, end }
  }
  const settings = async (account: string | null) =>
    JSON.stringify(await Effect.runPromise(memory.settings(account === null ? null : ownerOf(account))))
  return { serve, settings }
}

type Served = Awaited<ReturnType<ReturnType<typeof installation>["serve"]>>["service"]

/** An account with a webhook and a test number. */
const setUp = async (service: Served, url: string) => {
  const { account_id: account } = await service.operator.account.create()
  const own = await service.operator.webhook.add({ account_id: account, url })
  const common = await service.operator.webhook.add({ url })
  const until = new Date(Date.now() + 60_000).toISOString()
  await service.operator.account.testNumber.add({ account_id: account, number: tested, code: "424242", until })
  return { account, own, common }
}

const approves = async (service: Served, account: string): Promise<boolean> => {
  const { id } = await service.verify.start(account, { to: tested, workflow: [{ channel: "sms", timeout: 60 }] })
  return (await service.verify.check(account, id, { code: "424242" })).valid
}

const isSealed = (text: string): boolean => text.includes('\\"sealed\\"') && !/whsec_|424242/.test(text)

describe("the secrets of settings", () => {
  it("are in no copy of the database, and sign and approve", async () => {
    const receiver = await receive()
    const { serve, settings } = installation()
    const { service } = await serve(current)
    const { account, common, own } = await setUp(service, receiver.url)
    for (const owner of [account, null]) expect(isSealed(await settings(owner))).toBe(true)
    for (const { webhook_id: id, secret } of [own, common]) {
      receiver.forget()
      expect(await service.operator.webhook.test({ webhook_id: id })).toMatchObject({ taken: true })
      const [{ body, headers } = { body: "", headers: {} }] = receiver.got
      await verifyWebhook(body, headers, { secret })
    }
    const rotated = await service.operator.webhook.rotate({ webhook_id: own.webhook_id })
    receiver.forget()
    await service.operator.webhook.test({ webhook_id: own.webhook_id })
    const [{ body, headers } = { body: "", headers: {} }] = receiver.got
    for (const { secret } of [own, rotated]) await verifyWebhook(body, headers, { secret })
    expect(isSealed(await settings(account))).toBe(true)
    expect(await approves(service, account)).toBe(true)
    expect((await service.operator.account.testNumber.list({ account_id: account })).test_numbers).toMatchObject([
      { code: "424242" }
    ])
  })

  it("stay as they are without a secret of the installation, and are sealed by the first start with one", async () => {
    const receiver = await receive()
    const { serve, settings } = installation()
    const before = await serve()
    const { account, own } = await setUp(before.service, receiver.url)
    expect(await settings(account)).toContain(own.secret)
    await before.end()
    const { service } = await serve(current)
    await until(async () => isSealed(await settings(account)) && isSealed(await settings(null)))
    expect(await service.operator.webhook.test({ webhook_id: own.webhook_id })).toMatchObject({ taken: true })
    const [{ body, headers } = { body: "", headers: {} }] = receiver.got
    await verifyWebhook(body, headers, { secret: own.secret })
    expect(await approves(service, account)).toBe(true)
  })

  it("are sealed again when another secret is put first, so that the one before can be left out", async () => {
    const receiver = await receive()
    const { serve, settings } = installation()
    const before = await serve(old)
    const { account, common, own } = await setUp(before.service, receiver.url)
    const sealed = await settings(account)
    await before.end()
    const both = await serve([current, old])
    await until(
      async () => (await settings(null)).includes('\\"complete\\":true') && (await settings(account)) !== sealed
    )
    await both.end()
    const { service } = await serve(current)
    for (const { webhook_id: id, secret } of [own, common]) {
      receiver.forget()
      expect(await service.operator.webhook.test({ webhook_id: id })).toMatchObject({ taken: true })
      const [{ body, headers } = { body: "", headers: {} }] = receiver.got
      await verifyWebhook(body, headers, { secret })
    }
    expect(await approves(service, account)).toBe(true)
  })

  it("cannot be used without the secret, whose events wait for a process that has it", async () => {
    const receiver = await receive()
    const { serve } = installation()
    const before = await serve(old)
    const { account, own } = await setUp(before.service, receiver.url)
    await before.end()
    const without = await serve()
    const until = new Date(Date.now() + 60_000).toISOString()
    const { account: accounts, webhook } = without.service.operator
    for (const refused of [
      () => webhook.add({ url: receiver.url }),
      () => webhook.rotate({ webhook_id: own.webhook_id }),
      () => accounts.testNumber.list({ account_id: account }),
      () => accounts.testNumber.add({ account_id: account, number: tested, code: "555555", until })
    ]) {
      await expect(refused()).rejects.toMatchObject({ message: SENTENCE })
    }
    await expect(approves(without.service, account)).rejects.toMatchObject({ message: SENTENCE })
    expect(await webhook.test({ webhook_id: own.webhook_id })).toMatchObject({
      taken: false,
      message: "no answer: its secret is sealed with another VERIFY_SECRET"
    })
    expect((await webhook.list({ account_id: account })).webhooks).toMatchObject([{ pending: 1, failing_since: null }])
    await accounts.testNumber.remove({ account_id: account, number: tested })
    await without.end()
    expect(receiver.got).toEqual([])
    await serve(old)
    await receiver.until(1)
  })
})
