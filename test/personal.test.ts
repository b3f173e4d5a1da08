/**
 * What sends leave of a person, wherever it is: each channel sends by its real gateway to a peer that repeats number,
 * text and code in its own words, and every cell of the database is looked through.
 *
 * A cell that is new here is either listed in docs/operators/privacy.md and reached by an erasure, or has no business
 * there.
 */
import { DatabaseSync } from "node:sqlite"
import { trunk as startTrunk } from "@watchword/sandbox/trunk"
import * as dialects from "../packages/sms/test/http/dialects.ts"
import { startProvider } from "../packages/sms/test/http/simulator.ts"
import { smsc, receipt } from "@watchword/sandbox/smsc"
import * as WhatsApp from "@watchword/bizchat/whatsapp"
import * as Sip from "@watchword/call/sip"
import * as Telegram from "@watchword/chatgw/telegram"
import { generic } from "@watchword/sms/http"
import { smpp } from "@watchword/sms/smpp"
import { sqlite } from "@watchword/store-sqlite"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Options, type Watchword, createWatchword } from "watchword"
import { folderForAll } from "./folder.ts"
import { answer } from "./provider.ts"
import { until } from "./until.ts"
import { telegramApi, whatsAppApi } from "@watchword/sandbox/http"

const person = {
  to: "+4915123456701",
  text: "Dear Ada, 71930482 is yours",
  code: "71930482",
  ip: "203.0.113.77",
  ref: "device-of-ada"
}
/** The last digits of the one number that calls come from are their code. */
const CALLER = "+4930926058317"

/** The digits are in every spelling of the number. */
const traces = [person.to.slice(1), person.code, person.ip, person.ref, "Dear Ada", CALLER.slice(-6)]

const facts = { client_ip: person.ip, client_ref: person.ref }

/** The words of a peer that says what it was asked. */
const words = `no ${person.to} for ${person.text}`

/** The pool of callers is the account's, and stays. */
const OF_ACCOUNT = "settings.value of callers"
const POOL_IN_LOG = "operator_log.input of account callers"

/** Products are under their numbers: 0 calls, 1 SMS, 2 chats, 3 business chats, 5 verifications. */
const PLACES = [
  "claims.key",
  "deliveries.recipient",
  "deliveries.sender",
  "details.bind_payee of product 5",
  "details.caller of product 0",
  "details.client_ip of product 5",
  "details.client_ref of product 5",
  "details.inbox_code of product 0",
  "details.inbox_code of product 1",
  "details.inbox_code of product 2",
  "details.inbox_code of product 3",
  "details.inbox_from of product 0",
  "details.inbox_text of product 1",
  "details.inbox_text of product 3",
  "details.metadata of product 5",
  "details.text of product 1",
  "details.text of product 3",
  "details.variables of product 5",
  POOL_IN_LOG,
  "operator_log.input of account test-number add",
  "operator_log.input of guard allow",
  "operator_log.input of guard block",
  "operator_log.input of guard remove",
  "operator_log.output of account test-number add",
  "operator_log.output of guard allow",
  "operator_log.output of guard block",
  "operator_log.output of guard remove",
  "parts.ref",
  "settings.name of allow:",
  "settings.name of test-number:",
  OF_ACCOUNT,
  "unmatched_reports.recipient"
]

const folder = folderForAll()
const file = () => folder.file("watchword.db")
let peers: Awaited<ReturnType<typeof startPeers>>

const startPeers = async () => ({
  trunk: await startTrunk(),
  carrier: await smsc({ script: { receipt: (submit) => receipt(submit) } }),
  provider: await startProvider(dialects.acme),
  telegram: await telegramApi({ token: "token" }),
  platform: await whatsAppApi()
})

beforeAll(async () => {
  peers = await startPeers()
})

afterAll(async () => {
  const { carrier, platform, provider, telegram, trunk } = peers
  await Promise.all([carrier.stop(), platform.stop(), provider.stop(), telegram.stop(), trunk.stop()])
})

const open = (sms: Options["sms"]): Promise<Watchword> => {
  const trunks = Result.getOrThrow(Sip.fromUrls(peers.trunk.url()))
  const number = { phoneNumberId: "106540352242922", template: { name: "otp", language: "de" } }
  return createWatchword({
    store: sqlite(file()),
    secret: "a secret of at least 32 characters",
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    guards: { limits: [{ name: "number", by: ["to"], rates: ["1000/1h"] }] },
    ...(sms === undefined ? {} : { sms }),
    call: Sip.layer({ ...trunks, silence: "300 millis", drain: "1 second", timers: { t1: 20, t2: 160, t4: 200 } }),
    chatgw: Telegram.telegram({ token: Redacted.make("token"), baseUrl: peers.telegram.url() }),
    bizchat: WhatsApp.whatsapp({ token: Redacted.make("token"), baseUrl: peers.platform.url(), ...number })
  })
}

/** By a provider of SMS over HTTP: taken, and refused in words. */
const sendByHttp = async (account: string): Promise<void> => {
  const { provider } = peers
  const description = { ...dialects.acmeDescription, url: `${provider.url()}/messages` }
  await using service = await open(
    generic({ description, token: dialects.ACME_TOKEN, signatureSecret: dialects.ACME_SECRET })
  )
  const message = { to: person.to, text: person.text, ...facts }
  await service.sms.send(account, message)
  provider.once(answer(400, JSON.stringify({ code: "bad", error: words, message: words, detail: words })))
  await Promise.allSettled([service.sms.send(account, message)])
}

/** By all other gateways, live and in the sandbox. */
const send = async (service: Watchword, account: string): Promise<void> => {
  const { carrier, platform, telegram, trunk } = peers
  const { code, text, to } = person
  const refused = answer(400, JSON.stringify({ ok: false, error: words }))
  const sandbox = { account, sandbox: true }

  for (const caller of [account, sandbox]) {
    await service.sms.send(caller, { to, text, ...facts })
    await service.chatgw.checkSendAbility(caller, { to, ...facts })
    const chat = { to, code, callback_url: `https://hook.test/${person.ref}`, ...facts }
    const { request_id } = await service.chatgw.send(caller, chat)
    await service.chatgw.checkVerificationStatus(caller, { request_id, code })
    await service.bizchat.send(caller, { to, text, ...facts })
    const call = { callee: to, caller: CALLER, ...facts }
    const { uuid } = await service.call.flash(caller, call)
    await service.call.hangup(caller, uuid)
    await service.call.report(caller, { uuid, status: "Success" })
  }

  carrier.script.submit = () => ({ status: 0x0b })
  telegram.once(refused)
  const error = { message: words, code: 131026, error_data: { details: words }, error_user_msg: words }
  platform.once(answer(400, JSON.stringify({ error })))
  trunk.script.invite = (invited) => invited.respond(603, { headers: [`Reason: Q.850;cause=21;text="${words}"`] })
  const failed = await Promise.allSettled([
    service.sms.send(account, { to, text, ...facts }),
    service.chatgw.send(account, { to, code, ...facts }),
    service.bizchat.send(account, { to, text, ...facts }),
    service.call.flash(account, { callee: to, caller: CALLER, ...facts })
  ])
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"])
  carrier.script.submit = () => ({})
  trunk.script.invite = (invited) => invited.respond(180)

  const metadata = { name: person.ref }
  const bind = { amount: "5 EUR", payee: "Dear Ada" }
  const about = { to, metadata, variables: { name: person.ref }, ...facts }
  for (const caller of [account, sandbox]) {
    for (const channel of ["sms", "chatgw", "bizchat", "call"] as const) {
      const workflow = [{ channel, timeout: 30 }]
      const own = channel === "call" ? {} : { code }
      const { id } = await service.verify.start(caller, { ...about, workflow, ...own, bind, purpose: channel })
      const given = channel === "call" ? CALLER.slice(-6) : code
      await service.verify.check(caller, id, { code: given, bind }, { idempotencyKey: `${id}-${code}` })
      await service.verify.check(caller, id, { code: "000000" }).catch(() => null)
      await service.verify.cancel(caller, id).catch(() => null)
    }
  }
  await service.operator.guard.block({ place: to, for: 60, account_id: account })
  await Promise.allSettled([service.sms.send(account, { to, text, ...facts })])
  await service.operator.guard.remove({ entry: to, account_id: account })
  await service.operator.guard.allow({ number: to, account_id: account })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await service.operator.account.testNumber.add({ account_id: account, number: to, code, until, anyway: true })
  // A receipt that no send matches.
  carrier.deliver({ source: to.slice(1), esmClass: 4, text: `id:unknown stat:UNDELIV err:001 text:${text}` })
}

/** Where a trace of the person is: a column, a setting, or a detail of a product's records. */
const found = (): ReadonlyArray<string> => {
  const db = new DatabaseSync(file(), { readOnly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const places = tables.flatMap(({ name: table }) =>
    db
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .flatMap((row) => Object.entries(row).flatMap(([column, value]) => placesOf(`${table}.${column}`, value, row)))
  )
  db.close()
  return [...new Set(places)].sort()
}

const placesOf = (column: string, value: unknown, row: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  if (!isTraced(value)) return []
  if (column.startsWith("settings.")) return [`${column} of ${String(row["name"]).replace(person.to, "")}`]
  if (column.startsWith("operator_log.")) return [`${column} of ${String(row["command"])}`]
  if (column !== "deliveries.details") return [column]
  const product = (Number(row["partition"]) & 255) >> 1
  const details: Readonly<Record<string, unknown>> = JSON.parse(String(value))
  return Object.keys(details)
    .filter((name) => isTraced(details[name]))
    .map((name) => `details.${name} of product ${product}`)
}

const isTraced = (value: unknown): boolean => traces.some((trace) => String(value).includes(trace))

it("is in the places that docs/operators/privacy.md lists, and in none after an erasure", async () => {
  const { carrier } = peers
  const service = await open(smpp({ url: carrier.url() }))
  const { account_id: account } = await service.operator.account.create({
    sms_sender: "Acme",
    store_text: true,
    sender_username: "acme"
  })
  await service.operator.account.credit({ account_id: account, amount: 10 })
  await service.operator.account.callers({ account_id: account, numbers: [CALLER], allow_small: true })
  await service.operator.webhook.add({ url: "https://127.0.0.1:9/hook", anyway: true })
  await send(service, account)
  const taken = carrier.submits.filter(({ id }) => id !== "").length
  await carrier.until(() => carrier.acknowledgements.length > taken)
  await service.dispose()
  await sendByHttp(account)

  expect(found()).toEqual(PLACES)

  await using next = await open(smpp({ url: carrier.url() }))
  await until(
    () => next.operator.erase({ number: person.to }),
    ({ under_way }) => under_way === 0
  )
  expect(found()).toEqual([POOL_IN_LOG, OF_ACCOUNT])
})
