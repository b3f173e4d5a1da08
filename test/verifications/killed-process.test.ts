/**
 * A server that is killed in the middle of a verification, and another server that continues it: started afterwards on
 * SQLite, already running on PostgreSQL.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Watchword } from "watchword"
import { header } from "@watchword/sandbox/trunk"
import { start as startPostgres } from "../PostgresServer.ts"
import { CREDIT, begin } from "./killed.ts"
import { step } from "./settings.ts"

/** A lease ends after 15 seconds, and is checked every ten. */
const PATIENCE = { timeout: 45_000 }

const databases = [
  {
    name: "SQLite",
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), "watchword-verify-"))
      let made = 0
      return { place: () => join(folder, `${++made}.db`), close: () => rm(folder, { recursive: true }) }
    },
    areTogether: false
  },
  {
    name: "PostgreSQL",
    open: async () => {
      const server = await startPostgres()
      let made = 0
      return { place: () => `${server.url}#killed_${++made}`, close: server.stop }
    },
    areTogether: true
  }
]

/**
 * A world on the test's own database, and its servers, which end with the test. The tests of a kind of database run
 * concurrently, each waiting for its own leases.
 */
const beginOn = async (place: string, areTogether: boolean, onTestFinished: TestContext["onTestFinished"]) => {
  const world = await begin(place)
  const services: Array<Watchword> = []
  const disposed = () => Promise.all(services.splice(0).map((service) => service.dispose()))
  onTestFinished(async () => {
    await disposed()
    await world.end()
  })

  const started = async (...options: Parameters<typeof world.start>) => {
    const service = await world.start(...options)
    services.push(service)
    return service
  }

  /** The server that is started after all others have ended. */
  const followed = async (...options: Parameters<typeof world.start>) => {
    await disposed()
    return started(...options)
  }

  /** Kills a server once a condition holds, and returns the server that continues. */
  const killedOnce = async (workflow: Parameters<typeof world.dying>[0], until: () => Promise<void>) => {
    const together = areTogether ? await started() : null
    const { kill, opened } = await world.dying(workflow)
    await opened
    await until()
    await kill()
    return together ?? (await started())
  }

  const last = async (service: Watchword) => (await service.verify.list(world.account)).list[0]
  const attempts = async (service: Watchword) => (await last(service))?.attempts.map(({ status }) => status)

  return { ...world, attempts, followed, killedOnce, last, started }
}

describe.each(databases)("a server on $name that is killed", { timeout: 90_000 }, ({ areTogether, open }) => {
  let database: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  const begun = ({ onTestFinished }: TestContext) => beginOn(database.place(), areTogether, onTestFinished)

  it.concurrent("before its submit sends nothing again, and the next step is taken", async (context) => {
    const { account, attempts, carriers, chat, clock, followed, killedOnce, last } = await begun(context)
    // The message waits for a bind.
    carriers.dying.script.bind = () => "silence"
    const service = await killedOnce([step("sms"), step("chatgw")], async () => {})
    await vi.waitUntil(async () => (await attempts(service))?.[0] === "unknown", PATIENCE)
    clock.move(20_000)
    await vi.waitUntil(async () => (await attempts(service))?.[1] === "accepted", PATIENCE)
    const code = [...chat.requests.values()].at(-1)?.code ?? ""
    const id = (await last(service))?.id ?? ""
    expect(await service.verify.check(account, id, { code })).toMatchObject({ valid: true })
    expect([carriers.dying.submits, carriers.next.submits]).toEqual([[], []])
    expect(await service.operator.account.show({ account_id: account })).toMatchObject({
      balance: CREDIT - 0.03,
      held: 0.05
    })

    // The outcome stays unknown for a day; then the hold is released, and the verification says so.
    const later = await followed({ reconcile: { releaseAfter: 0 } })
    await vi.waitUntil(async () => (await attempts(later))?.[0] === "undelivered", PATIENCE)
    expect(await later.operator.account.show({ account_id: account })).toMatchObject({
      balance: CREDIT - 0.03,
      held: 0
    })
    expect(await last(later)).toMatchObject({ status: "approved", attempts: [{ price: 0 }, { price: 0.03 }] })
  })

  it.concurrent("while its carrier is silent is followed by the next step after that one's own time-out", async (context) => {
    const { attempts, carriers, clock, killedOnce, last } = await begun(context)
    carriers.dying.script.submit = () => "silence"
    const service = await killedOnce([step("sms", 40), step("chatgw")], () =>
      carriers.dying.until(() => carriers.dying.submits.length === 1)
    )
    await vi.waitUntil(async () => (await attempts(service))?.[0] === "unknown", PATIENCE)
    const verification = await last(service)
    const sentAt = Date.parse(verification?.attempts[0]?.at ?? "")
    const after = (at: string | undefined) => (Date.parse(at ?? "") - sentAt) / 1000
    expect(after(verification?.resend_at)).toBe(30)
    // The record was opened some milliseconds after the plan.
    expect(Math.floor(after(verification?.next?.at))).toBe(40)
    clock.move(40_000)
    await vi.waitUntil(async () => (await attempts(service))?.[1] === "accepted", PATIENCE)
    expect([carriers.dying.submits.length, carriers.next.submits.length]).toEqual([1, 0])
  })

  it.concurrent("while the verification ends leaves no send of it as if its gateway was asked still", async (context) => {
    const { account, attempts, carriers, followed, killedOnce, last } = await begun(context)
    carriers.dying.script.submit = () => "silence"
    const service = await killedOnce([step("sms"), step("chatgw")], () =>
      carriers.dying.until(() => carriers.dying.submits.length === 1)
    )
    const { status } = await service.verify.cancel(account, (await last(service))?.id ?? "")
    expect(status).toBe("canceled")
    await vi.waitUntil(async () => (await attempts(service))?.[0] === "unknown", PATIENCE)
    const later = await followed({ reconcile: { releaseAfter: 0 } })
    await vi.waitUntil(async () => (await attempts(later))?.[0] === "undelivered", PATIENCE)
    expect(await last(later)).toMatchObject({ status: "canceled", attempts: [{ price: 0 }] })
    expect(await later.operator.account.show({ account_id: account })).toMatchObject({ balance: CREDIT, held: 0 })
  })

  it.concurrent("while a phone rings has spent a send, and the caller is right", async (context) => {
    const { account, attempts, dying, last, started, trunk } = await begun(context)
    const together = areTogether ? await started() : null
    // No other step may become due before everything was checked.
    const { kill } = await dying([step("call", 300), step("call")])
    await new Promise<void>((resolve) => {
      trunk.script.invite = async (call) => {
        await kill()
        call.respond(180)
        resolve()
      }
    })
    const next = together ?? (await started())
    await trunk.until(() => trunk.requests("CANCEL").length > 0)
    await vi.waitUntil(async () => (await attempts(next))?.[0] === "unknown", PATIENCE)
    await vi.waitUntil(async () => (await next.operator.account.show({ account_id: account })).held === 0, PATIENCE)
    await vi.waitUntil(async () => (await last(next))?.attempts[0]?.price === 0, PATIENCE)
    expect(await last(next)).toMatchObject({ status: "pending", sends_left: 4, attempts: [{ status: "unknown" }] })
    const [call] = trunk.calls
    if (call === undefined) throw new Error("no call")
    const caller = /\+4930\d+/.exec(header(call.invite, "from"))?.[0] ?? ""
    const id = (await last(next))?.id ?? ""
    expect(await next.verify.check(account, id, { code: caller.slice(-6) })).toMatchObject({
      valid: true
    })
  })
})
