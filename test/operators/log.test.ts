/**
 * The operators' log: who has changed what, without secrets and without erased numbers.
 */
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { afterEach, expect, it } from "vitest"
import { commands } from "@watchword/operator/commands"
import { type Console, cookieOf, endAll, own, signIn, start } from "./console.ts"

afterEach(endAll)

const NUMBER = "+4915123456789"

type Entry = Record<string, unknown>

const entriesOf = Schema.decodeUnknownSync(
  Schema.Struct({
    entries: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    next: Schema.NullOr(Schema.String)
  })
)

const logOf = async ({ asHost }: Console, query: object = {}) => entriesOf(await asHost("operator/log", query))

const entries = async (console: Console): Promise<ReadonlyArray<Entry>> => (await logOf(console)).entries

it("has each change by the API and the console, with its outcome, and no look", async () => {
  const console = await start()
  const { token } = await console.grant("admin", { name: "anna" })
  const cookie = cookieOf(await signIn(console, { token }))
  const created = await console.ask("account/create", { token, body: { name: "Acme" } })
  const account = String(created.json["account_id"])
  await console.ask("guard/block", {
    headers: { ...own, ...cookie },
    body: { place: "+49151", for: "1h", account_id: null }
  })
  await console.ask("account/suspend", { token, body: { account_id: "acc_01KAJ3T8ZZ0000000000000000" } })
  await console.ask("account/list", { token })
  await console.ask("operator/list", { token })
  await console.ask("account/create", { token, body: { name: 5 } })
  const [suspended, blocked, opened, granted, ...others] = await entries(console)
  expect(others).toEqual([])
  expect(granted).toMatchObject({ who: "host", by: "console", command: "operator grant", outcome: "done" })
  expect(opened).toMatchObject({
    who: "anna",
    by: "api",
    command: "account create",
    input: { name: "Acme" },
    outcome: "done",
    output: { account_id: account }
  })
  expect(blocked).toMatchObject({ who: "anna", by: "console", command: "guard block", input: { place: "+49151" } })
  expect(suspended).toMatchObject({ command: "account suspend", outcome: "NOT_FOUND", output: null })
  expect(Date.parse(String(suspended?.["at"]))).toBeGreaterThan(Date.now() - 60_000)
})

it("has what a command changed as it was before, and as it is", async () => {
  const console = await start()
  const { account_id } = await console.asHost("account/create", { name: "Acme" })
  const everywhere = { account_id: null }
  const routes = [{ channel: "sms", to: "*", via: ["acme"] }]
  const changes: ReadonlyArray<readonly [string, object, unknown]> = [
    ["account/suspend", { account_id }, { suspended: false }],
    ["account/resume", { account_id }, { suspended: true }],
    ["account/allow", { account_id, senders: ["Acme"] }, { senders: null, callers: null, usernames: null }],
    ["account/allow", { account_id, senders: null }, { senders: ["Acme"], callers: null, usernames: null }],
    ["account/callers", { account_id, numbers: ["+4930123000-+4930123999"] }, null],
    ["account/callers", { account_id, clear: true }, { callers: ["+4930123000-+4930123999"], allowSmall: false }],
    ["account/verify", { account_id, brand: "Acme" }, { brand: null, locale: null, workflow: null }],
    ["account/workflow/set", { account_id, name: "cheap", steps: "sms:30" }, null],
    ["account/workflow/set", { account_id, name: "cheap", steps: "call:30" }, { steps: "sms:30" }],
    ["account/workflow/remove", { account_id, name: "cheap" }, { steps: "call:30" }],
    ["template/set", { ...everywhere, name: "short", locale: "de", text: "{{code}}" }, null],
    ["template/remove", { ...everywhere, name: "short", locale: "de" }, { text: "{{code}}" }],
    ["guard/set", { account_id, rules: "none" }, null],
    ["guard/remove", { ...everywhere, entry: account_id }, {}],
    ["guard/block", { ...everywhere, place: "NG", for: "1h" }, null],
    ["guard/remove", { ...everywhere, entry: "NG" }, { by: "operator", until: expect.stringMatching(/Z$/) }],
    ["guard/allow", { ...everywhere, number: NUMBER }, null],
    ["guard/pass", { ...everywhere, number: NUMBER }, { until: null }],
    ["route/set", { account_id, routes }, null],
    ["route/remove", { account_id }, routes],
    ["carrier/drain", { carrier: "acme" }, null],
    ["carrier/drain", { carrier: "acme", for: "1h" }, { drained: true, drained_until: null }],
    ["carrier/resume", { carrier: "acme" }, { drained: true, drained_until: expect.stringMatching(/Z$/) }],
    ["retention/set", { records: "90d" }, { records: null, texts: null }],
    ["webhook/low-balance", { account_id, euros: 5 }, null],
    ["webhook/low-balance", { account_id, euros: null }, { euros: 5 }]
  ]
  for (const [command, input] of changes) await console.asHost(command, input)
  const done = (await entries(console)).toReversed().slice(1)
  expect(done.map(({ before, command, outcome }) => [command, before, outcome])).toEqual(
    changes.map(([command, , before]) => [command.replaceAll("/", " "), before, "done"])
  )
  expect(done[0]).toMatchObject({ output: { suspended: true } })
})

it("has pages, and a time", async () => {
  let now = Date.now()
  const console = await start({}, { clock: { now: () => now } })
  for (const name of ["one", "two", "three"]) {
    now += 60_000
    await console.asHost("account/create", { name })
  }
  const first = await logOf(console, { limit: 2 })
  expect(first.entries.map(({ input }) => input)).toEqual([{ name: "three" }, { name: "two" }])
  const second = await logOf(console, { limit: 2, before: first.next })
  expect([second.entries.map(({ input }) => input), second.next]).toEqual([[{ name: "one" }], null])
  const late = await logOf(console, { since: new Date(now).toISOString() })
  expect(late.entries.map(({ input }) => input)).toEqual([{ name: "three" }])
})

it("has no secret", async () => {
  const console = await start({}, { webhooks: { allowPrivate: true } })
  const { account_id } = await console.asHost("account/create", { name: "Acme" })
  const { key, key_id } = await console.asHost("key/create", { account_id, sandbox: true })
  const rotated = await console.asHost("key/rotate", { key_id })
  const { token } = await console.grant("admin")
  const webhook = await console.asHost("webhook/add", { account_id, url: "http://127.0.0.1:9/", events: ["*"] })
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await console.asHost("account/test-number/add", { account_id, number: NUMBER, code: "271828", until })
  const text = JSON.stringify(await entries(console))
  for (const secret of [key, rotated["key"], token, webhook["secret"], "271828"]) {
    expect(typeof secret).toBe("string")
    expect(text).not.toContain(secret)
  }
  expect(text).toContain(String(key_id))
})

it("hides each field that is named as a secret is, in all commands", () => {
  const secret = /(?:^|_)(?:key|token|secret|link|code|password)$/
  const named = commands
    .filter(({ isLogged }) => isLogged)
    .flatMap(({ fields, hidden, name, output }) => {
      const inputs = fields.map(({ json }) => json)
      const outputs = Object.keys(Schema.toJsonSchemaDocument(output).schema["properties"] ?? {})
      return [...inputs, ...outputs]
        .filter((field) => secret.test(field))
        .map((field) => ({ command: name.join(" "), field, isHidden: hidden.includes(field) }))
    })
  expect(named).toContainEqual({ command: "key create", field: "key", isHidden: true })
  expect(named.filter(({ isHidden }) => !isHidden)).toEqual([])
})

it("has numbers as records have them, until they are erased", async () => {
  const console = await start()
  await console.asHost("guard/allow", { number: NUMBER, account_id: null })
  await console.asHost("guard/remove", { entry: NUMBER, account_id: null })
  const spaced = await console.asHost("guard/allow", { number: "+49 151 23456789", account_id: null })
  expect(spaced["number"]).toBe(NUMBER)
  expect(JSON.stringify(await entries(console))).toContain(NUMBER)
  await console.asHost("erase", { number: "+49 151 23456789" })
  const all = await entries(console)
  expect(JSON.stringify(all)).not.toMatch(/151\s?23456789/)
  expect(all.map(({ command, outcome }) => [command, outcome])).toEqual([
    ["erase", "done"],
    ["guard allow", "done"],
    ["guard remove", "done"],
    ["guard allow", "done"]
  ])
})

it("tells the second of two operators who change the same, once their page is older than the change", async () => {
  let now = Date.now()
  const console = await start({}, { clock: { now: () => now } })
  const [anna, ben] = [await console.grant("admin", { name: "anna" }), await console.grant("admin", { name: "ben" })]
  const seenAt = (at: number) => ({ "if-unmodified-since": new Date(at).toUTCString() })
  const block = (token: string, place: string, headers = {}) =>
    console.ask("guard/block", { token, headers, body: { place, for: "1h", account_id: null } })
  // A change within the second of the read may have come after it.
  now = Math.ceil(now / 1_000) * 1_000 + 100
  const read = now
  now += 200
  expect((await block(anna.token, "+49170")).status).toBe(200)
  now += 60_000
  expect((await block(ben.token, "+49170", seenAt(read))).status).toBe(409)
  const opened = now
  now += 60_000
  expect((await block(anna.token, "+49151", seenAt(opened))).status).toBe(200)
  now += 60_000
  const remove = { token: ben.token, body: { entry: "+49151", account_id: null } }
  const told = await console.ask("guard/remove", { ...remove, headers: seenAt(opened) })
  expect(told).toMatchObject({ status: 409, json: { error: "CONFLICT", reason: "changed_meanwhile" } })
  expect(told.json["message"]).toMatch(/^anna changed this at \S+Z \(guard block\)\. Reload it/)
  // Nothing was changed: the entry says so, and does not block other operators.
  expect((await entries(console))[0]).toMatchObject({ command: "guard remove", outcome: "CONFLICT" })
  const create = (token: string) =>
    console.ask("account/create", { token, headers: seenAt(opened), body: { name: "Acme" } })
  expect([(await create(anna.token)).status, (await create(ben.token)).status]).toEqual([200, 200])
  // Allowed: another subject, the same operator, a page read after the change, a client that gives no valid time.
  expect((await block(ben.token, "+49160", seenAt(opened))).status).toBe(200)
  expect((await block(anna.token, "+49151", seenAt(opened))).status).toBe(200)
  now += 60_000
  expect((await block(ben.token, "+49151", seenAt(now))).status).toBe(200)
  expect((await block(anna.token, "+49151")).status).toBe(200)
  expect((await block(anna.token, "+49151", { "if-unmodified-since": "yesterday" })).status).toBe(200)
  expect((await block(ben.token, "+49151", seenAt(Date.UTC(20_000, 0)))).status).toBe(200)
  expect((await block(anna.token, "+49151", seenAt(Date.UTC(1960, 0)))).status).toBe(409)
  expect((await console.ask("guard/remove", remove)).status).toBe(200)
})

it("names each operator by an identity that no other has, and compares changes by it", async () => {
  const long = "x".repeat(64)
  const proxy = { addresses: ["127.0.0.1"], header: "x-user", roles: new Map([["*", "admin"] as const]) }
  let now = Date.now()
  const console = await start({ proxy }, { clock: { now: () => now } })
  const [one, other] = [await console.grant("admin", { name: "anna" }), await console.grant("admin", { name: "anna" })]
  const body = { place: "+49151", for: "1h", account_id: null }
  const seen = { "if-unmodified-since": new Date(now).toISOString() }
  const ways = [
    ...[one, other].map(({ token }) => ({ authorization: `Bearer ${token}` })),
    ...["anna", `${long}1`, `${long}2`].map((user) => ({ ...own, "x-user": user }))
  ]
  now += 1_000
  for (const [place, headers] of ways.entries()) {
    expect((await console.ask("guard/block", { headers, body })).status).toBe(200)
    const again = await console.ask("guard/block", { headers: { ...headers, ...seen }, body })
    // The first operator causes no conflict, and each later one conflicts with the earlier operators of the same name.
    expect([place, again.status]).toEqual([place, place === 0 ? 200 : 409])
    now += 1_000
  }
  const blocks = (await entries(console)).filter(({ command }) => command === "guard block")
  const named = new Map(blocks.map(({ identity, who }) => [String(identity), who]))
  expect(new Set(named.keys()).size).toBe(5)
  expect([...named.values()].toSorted()).toEqual(["anna", "anna", "anna", long, long])
  expect(named.has(one.id) && named.has(other.id) && named.has("proxy anna")).toBe(true)
})

it("refuses a change by the time of the answer that its client has read, to the millisecond", async () => {
  let now = Date.now()
  const console = await start({}, { clock: { now: () => now } })
  const [anna, ben] = [await console.grant("admin", { name: "anna" }), await console.grant("admin", { name: "ben" })]
  const block = (token: string, headers = {}) =>
    console.ask("guard/block", { token, headers, body: { place: "+49170", for: "1h", account_id: null } })
  const readAt = async (): Promise<string> => {
    const { headers } = await console.ask("guard/list", { token: ben.token, body: { account_id: null } })
    return headers.get("x-read-at") ?? ""
  }
  expect((await block(anna.token)).status).toBe(200)
  // The change may follow its entry by 100 ms.
  now += 100
  const early = await readAt()
  now += 1
  const read = await readAt()
  const refused = await block(ben.token, { "if-unmodified-since": early })
  expect(refused.status).toBe(409)
  expect((await block(ben.token, { "if-unmodified-since": read })).status).toBe(200)
  // The refusal names the change, so its time is enough to confirm.
  now += 1
  expect((await block(anna.token, { "if-unmodified-since": read })).status).toBe(409)
  const since = refused.headers.get("x-read-at") ?? ""
  expect((await block(ben.token, { "if-unmodified-since": since })).status).toBe(200)
})

it("tells one of two operators who change the same on two servers whose clocks differ", async () => {
  const store = Layer.succeed(Store, makeMemory())
  let now = Date.now()
  const ahead = await start({}, { store, clock: { now: () => now + 2_000 } })
  const behind = await start({}, { store, clock: { now: () => now } })
  const [anna, ben] = [await ahead.grant("admin", { name: "anna" }), await ahead.grant("admin", { name: "ben" })]
  now += 10_000
  const headers = { "if-unmodified-since": new Date(now).toUTCString() }
  now += 5_000
  const block = ({ ask }: typeof ahead, token: string) =>
    ask("guard/block", { token, headers, body: { place: "+49151", for: "1h", account_id: null } })
  expect((await block(ahead, anna.token)).status).toBe(200)
  expect((await block(behind, ben.token)).status).toBe(409)
})
