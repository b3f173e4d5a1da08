import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

const german = "+4915123456789"

let service: Watchword
let caller: { readonly account: string; readonly sandbox: true }

beforeEach(async () => {
  service = await createWatchword({ store: memory(), secret: "0123456789abcdef0123456789abcdef" })
  caller = { account: (await service.operator.account.create()).account_id, sandbox: true }
})

afterEach(() => service.dispose())

describe("a verification in the sandbox", () => {
  it.each([
    ["sms", 6],
    ["chatgw", 5],
    ["bizchat", 8],
    ["call", 4]
  ] as const)("by %s is approved by the code that the inbox shows", async (channel, length) => {
    const workflow = [{ channel, timeout: 60 }]
    const { id } = await service.verify.start(caller, { to: german, workflow, code_length: length })
    const { messages } = await service.sandbox.inbox(caller, { to: german, channel })
    const code = messages[0]?.code ?? ""
    expect(code).toMatch(new RegExp(`^\\d{${length}}$`))
    const checked = { valid: true, status: "approved", channel }
    expect(await service.verify.check(caller, id, { code })).toMatchObject(checked)
  })

  it("goes on at once where a receipt says that nothing arrived", async () => {
    const to = "+4915123450002"
    const workflow = [
      { channel: "sms", timeout: 900 },
      { channel: "bizchat", timeout: 900 }
    ] as const
    const { id } = await service.verify.start(caller, { to, workflow })
    const [first] = (await service.sandbox.inbox(caller, { to })).messages
    const { messages } = await service.sandbox.inbox(caller, { to, after: first?.id ?? "", wait: 30 })
    expect(messages).toMatchObject([{ channel: "bizchat", code: first?.code }])
    expect(await service.verify.get(caller, id)).toMatchObject({ step: 2, channel: "bizchat" })
  })
})

it("the inbox shows codes of 4 to 10 digits", async () => {
  for (const code_length of [4, 9, 10]) {
    const to = `+49151234567${code_length + 10}`
    await service.verify.start(caller, { to, code_length, workflow: [{ channel: "sms", timeout: 60 }] })
    const { messages } = await service.sandbox.inbox(caller, { to })
    expect(messages[0]?.code).toMatch(new RegExp(`^\\d{${code_length}}$`))
  }
})
