/**
 * Webhooks of one account, or of a few, that take all they can: names, sockets, places and the outbox. Events of others
 * arrive meanwhile, and messages of others leave.
 */
import { serve } from "@watchword/node"
import * as Telegram from "@watchword/chatgw/telegram"
import { type Client, createClient } from "@watchword/client"
import { sqlite } from "@watchword/store-sqlite"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword } from "watchword"
import { type NameServer, closeNameServers, nameServer } from "../../packages/events/test/nameServer.ts"
import { type Receiver, closeReceivers, receive } from "../../packages/events/test/receiver.ts"
import { folderForEach } from "../folder.ts"
import { type TelegramApi, telegramApi } from "@watchword/sandbox/http"
import { realTime } from "../until.ts"

const { file } = folderForEach()

const TOKEN = "token"

let names: NameServer
let gateway: TelegramApi
let service: Watchword
let serving: Awaited<ReturnType<typeof serve>>

beforeEach(async () => {
  names = await nameServer({ "shop.example": { addresses: ["127.0.0.1"], ttl: 60 }, ".slow.example": "silent" })
  gateway = await telegramApi({ token: TOKEN })
  service = await createWatchword({
    store: sqlite(file("test.db")),
    secret: "0123456789abcdef0123456789abcdef",
    chatgw: Telegram.telegram({ token: TOKEN, baseUrl: gateway.url().replace("127.0.0.1", "localhost") }),
    webhooks: { allowPrivate: true, nameServers: [names.address] }
  })
  serving = await serve(service, { basePath: "/v1", port: 0 })
})

afterEach(async () => {
  await closeReceivers()
  await serving.close()
  await service.dispose()
  await gateway.stop()
  await closeNameServers()
})

interface Party {
  readonly account: string
  readonly sandbox: Client
  readonly live: Client
}

const party = async (): Promise<Party> => {
  const { account_id: account } = await service.operator.account.create({ sms_sender: "Acme" })
  const client = async (sandbox: boolean) => {
    const { key } = await service.operator.key.create({ account_id: account, sandbox })
    return createClient({ baseUrl: `http://127.0.0.1:${serving.port}/v1`, accountId: account, apiKey: key })
  }
  return { account, sandbox: await client(true), live: await client(false) }
}

/** Several texts, each with two events: sent and delivered. */
const send = async ({ sandbox }: Party, count: number): Promise<void> => {
  const left = Array.from({ length: count }, (_, n) => `+49151${100_000 + n}77`)
  const sender = async () => {
    for (let to = left.pop(); to !== undefined; to = left.pop())
      await sandbox.sms.send({ to, text: "Your code is 482913" })
  }
  await Promise.all(Array.from({ length: 8 }, sender))
}

const watch = ({ account }: Party, ...urls: ReadonlyArray<string>): Promise<unknown> =>
  Promise.all(urls.map((url) => service.operator.webhook.add({ account_id: account, url })))

/** Another party whose receiver answers, by a name. */
const genuine = async (): Promise<{ readonly other: Party; readonly receiver: Receiver }> => {
  const other = await party()
  const receiver = await receive()
  await watch(other, `http://shop.example:${receiver.port}/`)
  return { other, receiver }
}

const urls = (count: number, url: (n: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => url(n))

describe("one party's webhooks do not keep others' events and messages, though", () => {
  it("their names are never resolved", async () => {
    const stranger = await party()
    await watch(stranger, ...urls(20, (n) => `http://${n}.slow.example/`))
    const { other, receiver } = await genuine()
    await send(stranger, 30)
    for (let n = 0; n < 10; n++) {
      await send(other, 2)
      await receiver.until(4 * (n + 1))
      await other.live.chatgw.send({ to: `+4915123456${n}00`, code: "482913", ttl: 60 })
    }
    expect(gateway.calls.map(({ path }) => path.slice(1))).toEqual(
      Array.from({ length: 10 }, () => "sendVerificationMessage")
    )
    expect(names.asked.filter((name) => name.endsWith(".slow.example")).length).toBeGreaterThan(0)
  }, 60_000)

  it("they never end their answers", async () => {
    const stranger = await party()
    let most = 0
    const endless = await receive((response) => {
      response.writeHead(200).write(".")
      most = Math.max(most, endless.open())
    })
    await watch(stranger, endless.url)
    const { other, receiver } = await genuine()
    await send(stranger, 300)
    await send(other, 20)
    await receiver.until(40)
    await endless.until(16)
    // As many as one endpoint has events under way.
    expect(most).toBeLessThanOrEqual(8)
  }, 60_000)

  it("thirty-four of them hang", async () => {
    let over = 0
    const hanging = await receive((response) => void response.on("close", () => over++))
    for (const count of [17, 17]) {
      const stranger = await party()
      await watch(stranger, ...urls(count, (n) => `${hanging.url}/${stranger.account}/${n}`))
      await send(stranger, 20)
    }
    await hanging.until(34)
    const { other, receiver } = await genuine()
    await send(other, 5)
    await receiver.until(10)
    // Before the first of the others was given up.
    expect(over).toBe(0)
  }, 60_000)

  it("one of them fills the outbox", async () => {
    const stranger = await party()
    const slow = await receive(
      (response) => void realTime(300, "the receiver is slow").then(() => response.writeHead(204).end())
    )
    await watch(stranger, slow.url)
    await send(stranger, 500)
    const { other, receiver } = await genuine()
    await send(other, 20)
    await receiver.until(40)
    const [left] = (await service.operator.webhook.list({ account_id: stranger.account })).webhooks
    expect(left?.pending).toBeGreaterThan(0)
  }, 60_000)
})
