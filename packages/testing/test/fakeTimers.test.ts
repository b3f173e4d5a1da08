import { describe, expect, it, onTestFinished, vi } from "vitest"
import { startWatchword } from "@watchword/testing"
import { to } from "./kit.ts"

/** Expects that a sign-up over HTTP and in-process works, and that everything ends. */
const expectSignUp = async (begin: () => void, faked: () => void) => {
  onTestFinished(() => void vi.useRealTimers())
  begin()
  const kit = await startWatchword()
  faked()
  const url = await kit.listen()
  const ask = async (path: string, key: string, body: object) => {
    const headers = { "x-account-id": kit.account, "x-api-key": key, "content-type": "application/json" }
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    return [response.status, await response.json()] as const
  }
  expect((await ask("/verifications", "wrong", { to, metadata: { padding: "x".repeat(20_000) } }))[0]).toBe(401)
  const [status, { id }] = await ask("/verifications", kit.keys.live, { to })
  expect(status).toBe(200)
  const { code } = await kit.inbox.next(to)
  expect((await ask(`/verifications/check`, kit.keys.live, { verification_id: id, code }))[1]).toMatchObject({
    valid: true
  })
  await kit.service.call.flash(kit.account, { callee: to, max_ring_time: 5 })
  await kit.service.call.flash(kit.sandbox, { callee: to })
  await kit.clock.advance(3600)
  const { list } = await kit.service.call.list(kit.account)
  expect(list).toMatchObject([{ hangup_cause: "NO_ANSWER" }])
  await expect(kit.inbox.next("+33612345678", { timeout: 0.005 })).rejects.toThrow("came in 5ms")
  await kit.dispose()
}

const fake = () => void vi.useFakeTimers()

describe("a kit works with fake timers", () => {
  it("that are on before it starts", () => expectSignUp(fake, () => {}))
  it("that are on after it has started", () => expectSignUp(() => {}, fake))
})
