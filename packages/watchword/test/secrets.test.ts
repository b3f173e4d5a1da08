import * as MemoryStore from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { type Options, createWatchword } from "watchword"

const german = "+4915123456789"
const old = "0123456789abcdef0123456789abcdef"
const current = "fedcba9876543210fedcba9876543210"

describe("the secret of a service", () => {
  it("may be replaced while repeats of what was sent before are still recognised", async () => {
    const store = Layer.succeed(Store, MemoryStore.make())
    const sendUnder = async (secret: Exclude<Options["secret"], undefined>, account?: string) => {
      const service = await createWatchword({ store, secret })
      const acme = account ?? (await service.operator.createAccount())
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

  it.each([
    ["short", "secret"],
    ["", "secret"],
    [[current, "short"], "secret[1]"]
  ])("cannot be %j", async (secret, path) => {
    await expect(createWatchword({ store: MemoryStore.layer, secret })).rejects.toMatchObject({
      _tag: "BAD_REQUEST",
      message: `${path} must have at least 32 characters.`,
      issues: [{ path }]
    })
  })
})
