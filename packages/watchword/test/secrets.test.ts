import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { type Options, createWatchword, memory } from "watchword"

const german = "+4915123456789"
const old = "0123456789abcdef0123456789abcdef"
const current = "fedcba9876543210fedcba9876543210"

describe("the secret of a service", () => {
  it("may be replaced while repeats of what was sent before are still recognised", async () => {
    const store = Layer.succeed(Store, makeMemory())
    const sendUnder = async (secret: Exclude<Options["secret"], undefined>, account?: string) => {
      const service = await createWatchword({ store, secret })
      const acme = account ?? (await service.operator.account.create()).account_id
      const keys = { idempotencyKey: "signup-1" }
      const sent = await service.sms.send({ account: acme, sandbox: true }, { to: german, text: "Code 1234" }, keys)
      await service.dispose()
      return { acme, id: sent.messageId }
    }
    const { acme, id } = await sendUnder(old)
    expect(await sendUnder(Redacted.make(old), acme)).toEqual({ acme, id })
    expect(await sendUnder([current, Redacted.make(old), old], acme)).toEqual({ acme, id })
    expect((await sendUnder(current, acme)).id).not.toBe(id)
  })

  it("makes codes that are still right after it was replaced", async () => {
    const memory = makeMemory()
    const store = Layer.succeed(Store, memory)
    const before = await createWatchword({ store, secret: old })
    const caller = { account: (await before.operator.account.create()).account_id, sandbox: true }
    const { id } = await before.verify.start(caller, { to: german, workflow: [{ channel: "sms", timeout: 60 }] })
    const { messages } = await before.sandbox.inbox(caller)
    const entered = { code: messages[0]?.code ?? "" }
    await before.dispose()
    const without = await createWatchword({ store, secret: current })
    await expect(without.verify.check(caller, id, entered)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    await without.dispose()
    const after = await createWatchword({ store, secret: [current, old] })
    expect(await after.verify.check(caller, id, entered)).toMatchObject({ valid: true })
    await after.dispose()
  })

  it("is missed where records outlive the process, once a verification is started", async () => {
    const memory = makeMemory()
    const warningsOn = async (durable: boolean) => {
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
      const service = await createWatchword({
        store: Layer.succeed(Store, { ...memory, manifest: { ...memory.manifest, durable } }),
        observability: Logger.layer([logger])
      })
      expect(logged).toEqual([])
      const caller = { account: (await service.operator.account.create()).account_id, sandbox: true }
      for (const to of [german, "+4915123456788"]) await service.verify.start(caller, { to })
      await service.dispose()
      return logged
    }
    expect(await warningsOn(true)).toEqual([expect.stringContaining("no secret is set")])
    expect(await warningsOn(false)).toEqual([])
  })

  it("is needed by verifications where several processes may serve", async () => {
    const memory = makeMemory()
    const store = Layer.succeed(Store, { ...memory, manifest: { ...memory.manifest, cluster: true } })
    for (const [options, outcome] of [
      [{}, { code: "SERVICE_UNAVAILABLE" }],
      [{ secret: current }, null]
    ] as const) {
      const service = await createWatchword({ store, ...options })
      const caller = { account: (await service.operator.account.create()).account_id, sandbox: true }
      const failure = service.verify.start(caller, { to: german }).then(
        () => null,
        (error: unknown) => error
      )
      if (outcome === null) expect(await failure).toBeNull()
      else expect(await failure).toMatchObject(outcome)
      await service.dispose()
    }
  })

  it.each([
    ["short", "secret"],
    ["", "secret"],
    [[current, "short"], "secret[1]"]
  ])("cannot be %j", async (secret, path) => {
    await expect(createWatchword({ store: memory(), secret })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: `${path} must have at least 32 characters.`,
      issues: [{ path }]
    })
  })
})
