/**
 * A process that is killed between a step and its submit, and the next one, which goes on.
 */
import * as Telegram from "@watchword/chatgw/telegram"
import { smpp } from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, vi } from "vitest"
import { createWatchword } from "watchword"
import { startTelegram } from "../../packages/chatgw/test/telegram/server.ts"
import { TestCarrier } from "../../packages/sms/test/smpp/TestCarrier.ts"
import * as MovedClock from "./clock.ts"
import { PRICES, SECRET } from "./settings.ts"

const CREDIT = 1

it("a step whose process is killed before its submit is not sent again, and the next step is taken", async () => {
  const folder = await mkdtemp(join(tmpdir(), "watchword-verify-"))
  const file = join(folder, "test.db")
  // A carrier that answers no bind: what is to be sent waits for it.
  const carrier = await TestCarrier.start({ bind: () => "silence" })
  const chat = await startTelegram({ token: "token" })
  const clock = MovedClock.running()
  const options = {
    store: sqlite(file),
    prices: PRICES,
    secret: SECRET,
    observability: Layer.merge(Layer.succeed(Clock.Clock, clock), Logger.layer([]))
  }
  try {
    const before = await createWatchword(options)
    const account = await before.operator.createAccount({ smsSender: "Acme" })
    await before.operator.credit(account, CREDIT)
    await before.dispose()

    const program = fileURLToPath(new URL("dying.ts", import.meta.url))
    const child = spawn(process.execPath, [program, file, carrier.url(), account], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [line] = await once(child.stdout, "data")
    expect(String(line)).toBe("opened\n")
    child.kill("SIGKILL")
    await once(child, "exit")

    carrier.behaviour.bind = () => 0
    const service = await createWatchword({
      ...options,
      sms: smpp(carrier.url()),
      chat: Telegram.layer({ token: Redacted.make("token"), baseUrl: chat.url })
    })
    const last = async () => (await service.verify.list(account)).list[0]
    await vi.waitUntil(async () => (await last())?.attempts[0]?.status === "unknown", { timeout: 20_000 })
    expect(await last()).toMatchObject({ status: "pending", channel: "sms", next: { channel: "chatgw" } })
    expect(await service.operator.balance(account)).toMatchObject({ balance: CREDIT, held: 0.05 })

    clock.move(20_000)
    await vi.waitUntil(async () => (await last())?.attempts[1]?.status === "accepted", { timeout: 20_000 })
    const code = [...chat.requests.values()].at(-1)?.code ?? ""
    const id = (await last())?.id ?? ""
    expect(await service.verify.check(account, { verification_id: id, code })).toMatchObject({ valid: true })
    expect(carrier.submits).toEqual([])
    expect(await service.operator.balance(account)).toMatchObject({ balance: CREDIT - 0.03, held: 0.05 })
    await service.dispose()

    // The outcome stays unknown for a day; then the hold is given back.
    const later = await createWatchword({ ...options, reconcile: { releaseAfter: 0 } })
    expect(await later.operator.balance(account)).toMatchObject({ balance: CREDIT - 0.03, held: 0 })
    await later.dispose()
  } finally {
    await Promise.all([carrier.stop(), chat.close()])
    await rm(folder, { recursive: true })
  }
})
