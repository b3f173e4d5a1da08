import { afterEach, beforeEach, expect, it } from "vitest"
import { type Kit, NoMessage, startWatchword } from "@watchword/testing"

const number = "+4915123456789"

let kit: Kit

beforeEach(async () => {
  kit = await startWatchword()
})

afterEach(() => kit.dispose())

it("a phone without a chat account has a verification go on to a text, which its person reads", async () => {
  const phone = await kit.phones.add(number, { mode: "manual", chatgw: false })
  const { id, channel } = await kit.service.verify.start(kit.sandbox, {
    to: number,
    workflow: [
      { channel: "chatgw", timeout: 30 },
      { channel: "sms", timeout: 60 }
    ]
  })
  expect(channel).toBe("sms")
  const text = await phone.next({ channel: "sms" })
  expect(text).toMatchObject({ state: "sent", verification: id, attempt: 2 })
  expect(await phone.post(text, "delivered")).toMatchObject({ state: "delivered" })
  const checked = await kit.service.verify.check(kit.sandbox, id, { code: text.code ?? "" })
  expect(checked.valid).toBe(true)
})

it("a phone without network has its messages arrive together, by the kit's clock too", async () => {
  const phone = await kit.phones.add(number, { sms: { delay: 20 } })
  await kit.service.sms.send(kit.sandbox, { to: number, text: "Your code is 111111" })
  await kit.clock.advance(19)
  expect(await phone.messages()).toEqual([])
  await kit.clock.advance(1)
  expect(await phone.next()).toMatchObject({ code: "111111", state: "delivered" })

  await phone.goOffline()
  await kit.service.sms.send(kit.sandbox, { to: number, text: "Your code is 222222" })
  await kit.service.chatgw.send(kit.sandbox, { to: number, code: "333333" })
  await expect(phone.next({ timeout: 0 })).rejects.toThrow(NoMessage)
  await phone.goOnline()
  expect([await phone.next(), await phone.next()].map(({ code }) => code).toSorted()).toEqual(["222222", "333333"])
})

it("a call that rings is answered, declined or dropped", async () => {
  const phone = await kit.phones.add(number)
  for (const [end, cause] of [
    [() => phone.answer(), "NORMAL_CLEARING"],
    [() => phone.decline(), "CALL_REJECTED"],
    [() => phone.drop(), "NO_USER_RESPONSE"]
  ] as const) {
    const { uuid } = await kit.service.call.flash(kit.sandbox, { callee: number })
    expect(await phone.ringing()).toMatchObject({ id: uuid, state: "ringing" })
    expect(await end()).toMatchObject({ id: uuid, hangup_cause: cause })
  }
  await expect(phone.ringing({ timeout: 0 })).rejects.toThrow("No call came to the phone +4915123456789")
})

it("a chat to a phone is checked and taken back as others are, and live sends go by none", async () => {
  const phone = await kit.phones.add(number, { mode: "manual" })
  const { request_id } = await kit.service.chatgw.send(kit.sandbox, { to: number, code: "123456" })
  await kit.service.chatgw.revoke(kit.sandbox, { request_id })
  expect(await phone.next()).toMatchObject({ state: "revoked", accepts: [] })
  await kit.service.sms.send(kit.account, { to: number, text: "Your code is 444444" })
  expect(await kit.inbox.next(number)).toMatchObject({ code: "444444" })
  await phone.remove()
  await kit.service.sms.send(kit.sandbox, { to: number, text: "Your code is 555555" })
  expect(await kit.inbox.next(number)).toMatchObject({ code: "555555" })
})
