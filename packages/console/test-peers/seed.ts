/**
 * A small service with something on each page of its console.
 */
import type { ConsoleServer } from "./ConsoleServer.ts"

const WORKFLOW = [
  { channel: "sms", timeout: 10 },
  { channel: "call", timeout: 60 }
]

/** Numbers that got no code, each for a reason of its own. */
export const numbers = {
  unreachable: "+491512340480",
  undelivered: "+4915112340002",
  delivered: "+4915123456789",
  blocked: "+2348012345678"
} as const

/** Resolves to the account that has all of it. */
export const seed = async ({ command, service }: Pick<ConsoleServer, "command" | "service">): Promise<string> => {
  const { account_id: account } = await service.operator.account.create({ name: "Acme Shop", sms_sender: "Acme" })
  await service.operator.account.credit({ account_id: account, amount: 25 })
  await service.operator.account.credit({ account_id: account, amount: 12.5, reason: "invoice 2041" })
  const caller = { account, sandbox: true }
  const tried = async (does: Promise<unknown>): Promise<void> => void (await does.catch(() => {}))
  await tried(service.verify.start(caller, { to: numbers.unreachable }))
  await service.verify.start(caller, { to: numbers.undelivered, workflow: WORKFLOW })
  await service.verify.start(caller, { to: numbers.delivered, workflow: WORKFLOW })
  await service.sms.send(caller, { to: numbers.delivered, text: "Hello" })
  await command("guard block", { place: "+2348", for: "12h" })
  await tried(service.verify.start(caller, { to: numbers.blocked }))

  const run = async (name: string, input: object) => command(name, { account_id: account, ...input })
  await run("guard block", { place: "+4479", for: "30m" })
  await command("guard allow", { number: numbers.delivered })
  await run("guard set", {
    rules: { action: "record", limits: [{ name: "per_number", by: ["to"], rates: ["5/1h"] }] }
  })
  await run("key create", { scopes: ["sms:send", "verify:send", "verify:check"] })
  await run("key create", { sandbox: true })
  const { key_id: old } = await run("key create", {})
  await command("key revoke", { key_id: old })
  await run("account workflow set", { name: "cheap", steps: "chatgw:30,sms:60,call:60" })
  await run("template set", { name: "default", locale: "de", text: "{{code}} ist dein Code für {{brand}}." })
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await run("account test-number add", { number: "+15555550123", code: "424242", until })
  await run("webhook add", { url: "https://shop.example/hooks", events: ["verification.*"] })
  await command("webhook add", { url: "https://audit.example/all" })
  const { account_id: second } = await command("account create", { name: "Second Bank" })
  await command("account suspend", { account_id: second })
  await service.handle({
    method: "POST",
    path: "/verifications",
    headers: { "x-account-id": account, "x-api-key": "sk_test_wrong" },
    body: { _tag: "Absent" },
    remoteAddress: "203.0.113.7"
  })
  return account
}
