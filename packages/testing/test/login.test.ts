import { afterEach, expect, it } from "vitest"
import { type Kit, startWatchword } from "@watchword/testing"

let kit: Kit
afterEach(() => kit.dispose())

const workflow = [{ channel: "receive", by: ["telegram_login"], timeout: 300 }] as const

it("a phone signs in with Telegram through the link of a verification", async () => {
  kit = await startWatchword()
  const phone = await kit.phones.add("+4915123456789", { mode: "manual" })
  const { id } = await kit.service.verify.start(kit.sandbox, { to: phone.number, workflow })
  await kit.service.sandbox.logIn(kit.sandbox, phone.number, { verification_id: id })
  expect(await kit.service.verify.get(kit.sandbox, id)).toMatchObject({ status: "approved", by: "telegram_login" })
})

it("the link is a page of a kit that listens", async () => {
  kit = await startWatchword()
  const url = await kit.listen()
  const { present = [] } = await kit.service.verify.start(kit.sandbox, { to: "+4915123456789", workflow })
  const [link] = present
  expect(link?.uri).toContain(`${url}/sandbox/telegram/auth?`)
  const page = await fetch(link?.uri ?? "")
  expect(await page.text()).toContain("Share my number and sign in")
})
