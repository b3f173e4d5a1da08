import { startWatchword } from "@watchword/testing"
import { afterAll, expect, test } from "vitest"
import { makeApp } from "./signup.js"

const kit = await startWatchword()
const server = makeApp(kit.service, kit.account).listen(0)
afterAll(() => (server.close(), kit.dispose()))

const post = async (path, body) => {
  const headers = { "content-type": "application/json" }
  const url = `http://127.0.0.1:${server.address().port}${path}`
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  return response.json()
}

test("a user signs up with the code of the text", async () => {
  const { id } = await post("/signup", { phone: "+4915123456789" })
  const { code } = await kit.inbox.next("+4915123456789", { channel: "sms" })
  expect(await post(`/signup/${id}`, { code })).toEqual({ valid: true })
})

test("a user whose text does not arrive is called, and has ten minutes", async () => {
  kit.fail("sms", "undelivered")
  const { id } = await post("/signup", { phone: "+33612345678" })
  await kit.clock.advance(1)
  const { code } = await kit.inbox.next("+33612345678", { channel: "call" })
  await kit.clock.advance(600)
  expect(await post(`/signup/${id}`, { code })).toEqual({ valid: false })
})
