import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Layer from "effect/Layer"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Options, type Watchword, createWatchword, memory } from "watchword"
import { movable } from "./movable.ts"

const german = "+4915123456789"
/** The sandbox tells of no receipt for it. */
const silent = "+491512340001"
const realNow = Date.now.bind(Date)

const withService = async <A>(options: Partial<Options>, use: (service: Watchword) => Promise<A>) => {
  const service = await createWatchword({ store: memory(), ...options })
  try {
    return await use(service)
  } finally {
    await service.dispose()
  }
}

const MINUTES = 60_000

afterEach(() => void vi.useRealTimers())

describe("a service with a clock of its own", () => {
  it("ends what is old by that clock, and takes the steps that are due", () => {
    const { advance, clock } = movable()
    return withService({ clock }, async ({ operator, sandbox, verify }) => {
      const caller = { account: (await operator.account.create()).account_id, sandbox: true }
      const workflow = [
        { channel: "bizchat", timeout: 20 },
        { channel: "sms", timeout: 60 }
      ] as const
      const { id } = await verify.start(caller, { to: silent, workflow })
      advance(MINUTES / 2)
      await vi.waitFor(async () => expect((await sandbox.inbox(caller)).messages).toHaveLength(2), 5_000)
      advance(60 * MINUTES)
      expect(await verify.get(caller, id)).toMatchObject({ status: "expired" })
    })
  })

  it("has keys end by that clock, where it only tells the time", () => {
    let ahead = 0
    const clock = { now: () => realNow() + ahead }
    return withService({ clock }, async ({ handle, operator }) => {
      const { account_id: account } = await operator.account.create()
      const { key } = await operator.key.create({
        account_id: account,
        sandbox: true,
        expires: new Date(realNow() + MINUTES).toISOString()
      })
      const ask = async () => {
        const headers = { "x-api-key": key, "x-account-id": account }
        const body = { _tag: "Parsed", value: { to: german, text: "hi" } } as const
        return (await handle({ method: "POST", path: "/sms", headers, body, remoteAddress: null })).status
      }
      expect(await ask()).toBe(200)
      ahead = 2 * MINUTES
      expect(await ask()).toBe(401)
    })
  })

  it("reconciles by that clock", () => {
    const { advance, clock } = movable()
    const store = makeMemory()
    const looks = vi.spyOn(store, "unresolved")
    return withService({ clock, store: Layer.succeed(Store, store) }, async () => {
      const before = looks.mock.calls.length
      await vi.waitFor(() => {
        advance(MINUTES)
        expect(looks.mock.calls.length).toBeGreaterThan(before)
      }, 5_000)
    })
  })

  it.each(["before", "after"])("works beside fake timers that are switched on %s its start", (when) => {
    if (when === "before") vi.useFakeTimers()
    return withService({ clock: movable().clock }, async ({ call, operator, sms, verify }) => {
      if (when === "after") vi.useFakeTimers()
      const caller = { account: (await operator.account.create()).account_id, sandbox: true }
      await call.flash(caller, { callee: german, caller: "+4930901820" })
      await sms.send(caller, { to: german, text: "hi" })
      expect(await verify.start(caller, { to: german })).toMatchObject({ status: "pending" })
    })
  })
})

describe("a service without one", () => {
  it("goes by the fake timers of a test runner", () =>
    withService({}, async ({ operator, verify }) => {
      vi.useFakeTimers()
      const caller = { account: (await operator.account.create()).account_id, sandbox: true }
      const { id } = await verify.start(caller, { to: german })
      await vi.advanceTimersByTimeAsync(60 * MINUTES)
      expect(await verify.get(caller, id)).toMatchObject({ status: "expired" })
      vi.useRealTimers()
    }))
})
