/**
 * The public address of a service, as gateways pass it on to their providers.
 */
import { telegram } from "@watchword/chatgw/telegram"
import { telegramApi } from "@watchword/sandbox/http"
import { expect, it } from "vitest"
import { createWatchword, memory } from "watchword"

const phone = "+4915123456789"

it.each([
  ["https://otp.example.com/v1", undefined, "https://otp.example.com/v1/chatgw/events"],
  ["https://otp.example.com/v1/", undefined, "https://otp.example.com/v1/chatgw/events"],
  ["https://otp.example.com", "https://elsewhere.example/events", "https://elsewhere.example/events"],
  [undefined, undefined, undefined]
])("%s, and a gateway's own %s, make %s", async (publicUrl, callbackUrl, expected) => {
  const platform = await telegramApi()
  const chatgw = telegram({ token: "token", baseUrl: platform.url(), callbackUrl })
  const service = await createWatchword({ store: memory(), publicUrl, chatgw })
  const { account_id: account } = await service.operator.account.create({ name: "Acme" })
  await service.chatgw.send(account, { to: phone, code: "123456" })
  const sent = platform.calls.find(({ path }) => path === "/sendVerificationMessage")
  expect(sent?.body).toMatchObject({ phone_number: phone })
  expect(Reflect.get(Object(sent?.body), "callback_url")).toBe(expected)
  await service.dispose()
  await platform.stop()
})
