/**
 * The history that the databases of `released/` contain: all channels, verifications, guards, webhooks and money, with
 * every kind of end, and some sends and verifications that have not ended yet.
 */
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type * as Layer from "effect/Layer"
import { type Live, start } from "./service.ts"

/** Facts that a program needs to continue a history. */
export interface Facts {
  /** The end of the history, in milliseconds since the epoch. */
  readonly at: number
  readonly account: string
  readonly suspended: string
  readonly keys: { readonly live: string; readonly sandbox: string; readonly revoked: string }
  /** A verification that is waiting for its code. */
  readonly pending: { readonly id: string; readonly code: string }
  readonly webhook: string
  readonly balance: { readonly balance: number; readonly held: number }
  /** How many live records each channel has. */
  readonly records: Readonly<Record<string, number>>
}

let numbers = 0
const next = (): string => `+4915123${String(450_000 + ++numbers)}`

export const perform = async (store: Layer.Layer<Store, StoreError>): Promise<Facts> => {
  const live = await start(store)
  try {
    return await history(live)
  } finally {
    await live.service.dispose()
  }
}

/** Can be repeated: each history has accounts and numbers of its own. */
export const history = async (live: Live): Promise<Facts> => {
  const { service } = live
  const { operator } = service
  const { account_id: account } = await operator.account.create({
    name: "Acme",
    sms_sender: "Acme",
    caller: CALLERS[0],
    store_text: true
  })
  await operator.account.credit({ account_id: account, amount: 100, id: `invoice of ${account}`, reason: "prepaid" })
  await operator.account.debit({ account_id: account, amount: 5, id: `correction of ${account}`, reason: "a mistake" })
  const [liveKey, sandboxKey, revokedKey] = [
    await operator.key.create({ account_id: account }),
    await operator.key.create({ account_id: account, sandbox: true, scopes: ["sms:send"], allow: ["10.0.0.0/8"] }),
    await operator.key.create({ account_id: account })
  ]
  await operator.key.revoke({ key_id: revokedKey.key_id })
  const webhook = await configure(live, account)
  await send(live, account)
  await sandbox(live, account)
  const pending = await verify(live, account)
  const { account_id: suspended } = await operator.account.create({ name: "Gone" })
  await operator.account.credit({ account_id: suspended, amount: 1 })
  await operator.account.suspend({ account_id: suspended })
  return {
    at: Date.now(),
    account,
    suspended,
    keys: { live: liveKey.key, sandbox: sandboxKey.key, revoked: revokedKey.key },
    pending,
    webhook,
    balance: await balanceOf(live, account),
    records: await counted(live, account)
  }
}

/** A range of numbers that the German regulator reserves for films. */
const CALLERS = ["+493023125000", "+493023125999"] as const

const configure = async ({ service }: Live, account: string): Promise<string> => {
  const { account: accounts, guard, template, webhook } = service.operator
  await accounts.callers({ account_id: account, numbers: [CALLERS.join("-")], allow_small: true })
  await guard.set({ account_id: account, rules: { limits: [{ name: "number", by: ["to"], rates: ["5/1h"] }] } })
  await guard.block({ place: "+2348", for: 30 * 24 * 60 * 60 })
  await guard.allow({ number: "+2348031234567" })
  await accounts.verify({ account_id: account, brand: "Acme" })
  await accounts.workflow.set({ account_id: account, name: "texts", steps: [{ channel: "sms", timeout: 60 }] })
  await template.set({ account_id: account, name: "login", locale: "de", text: "{{brand}}: {{code}}" })
  await accounts.testNumber.add({
    account_id: account,
    number: "+4915123456700",
    code: "424242",
    until: new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString()
  })
  await webhook.lowBalance({ account_id: account, euros: 1 })
  // No server listens there, so the events stay pending.
  const { webhook_id: id } = await webhook.add({ account_id: account, url: "http://127.0.0.1:9/events", anyway: true })
  return id
}

/** Runs a send that a gateway or a guard refuses. */
const refused = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => Promise.reject(new Error("a send was accepted that is to be refused")),
    () => null
  )

const send = async ({ receive, script, service }: Live, account: string): Promise<void> => {
  const { bizchat, call, chatgw, sms } = service
  const text = "Your code is 471199."
  await sms.send(account, { to: next(), text })
  await sms.send(account, { to: next(), text: text.repeat(12) })
  script.fail("sms", "undelivered", { once: true })
  await sms.send(account, { to: next(), text })
  for (const outcome of ["refused", "unknown", "throttled"] as const) {
    script.fail("sms", outcome, { once: true })
    await refused(sms.send(account, { to: next(), text }))
  }
  await refused(sms.send(account, { to: "+2348031234568", text }))
  await call.flash(account, { callee: next(), max_ring_time: 15 })
  script.fail("call", "busy", { once: true })
  await refused(call.flash(account, { callee: next(), max_ring_time: 15 }))
  const to = next()
  await chatgw.checkSendAbility(account, { to })
  await chatgw.send(account, { to, code: "471199", ttl: 300 })
  script.fail("chatgw", "undelivered", { once: true })
  await chatgw.send(account, { to: next(), code: "471199", ttl: 60 })
  await bizchat.send(account, { to: next(), text })
  script.fail("bizchat", "no-account", { once: true })
  await refused(bizchat.send(account, { to: next(), text }))
  await receive()
  // Its receipt arrives after the program that sent it has ended.
  await sms.send(account, { to: next(), text })
}

const sandbox = async ({ service }: Live, account: string): Promise<void> => {
  const caller = { account, sandbox: true } as const
  await service.sms.send(caller, { to: next(), text: "Your code is 471199." })
  await service.verify.start(caller, { to: next() })
}

const verify = async ({ inbox, receive, script, service }: Live, account: string): Promise<Facts["pending"]> => {
  const begin = async () => {
    const to = next()
    const workflow = [
      { channel: "sms", timeout: 60 },
      { channel: "call", timeout: 60 }
    ] as const
    const { id } = await service.verify.start(account, { to, workflow })
    const { code } = await inbox.next(to)
    return { id, code }
  }
  const approved = await begin()
  await service.verify.check(account, approved.id, { code: approved.code })
  await service.verify.cancel(account, (await begin()).id)
  script.fail("sms", "refused", { once: true })
  await begin()
  await receive()
  const pending = await begin()
  const wrong = pending.code === "000000" ? "000001" : "000000"
  await service.verify.check(account, pending.id, { code: wrong })
  return pending
}

/** The balance, and the part of it that is held. */
export const balanceOf = async ({ service }: Pick<Live, "service">, account: string): Promise<Facts["balance"]> => {
  const { balance, held } = await service.operator.account.show({ account_id: account })
  return { balance, held }
}

/** How many live records each channel lists. */
export const counted = async ({ service }: Pick<Live, "service">, account: string): Promise<Facts["records"]> => ({
  sms: (await service.sms.list(account)).list.length,
  call: (await service.call.list(account)).list.length,
  chatgw: (await service.chatgw.list(account)).list.length,
  bizchat: (await service.bizchat.list(account)).list.length,
  verify: (await service.verify.list(account)).list.length
})
