import { beforeAll, describe, expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { request } from "./client.ts"
import { installationForAll, serverForAll } from "./Installation.ts"

const sms = { to: "+4915123456789", text: "Your code is 123456" }

const installation = installationForAll()
const { command, failingCommand, newAccount } = installation
const { callerOf } = serverForAll(installation)

describe("account suspend and resume", () => {
  it("stop sends of a running server at once, and reads within seconds, until the account is resumed", async () => {
    const account = await newAccount()
    const caller = await callerOf(account, "--sandbox")
    const send = () => request(caller, "/sms", sms)
    const list = () => request(caller, "/sms/sdr", {})
    expect([(await send()).status, (await list()).status]).toEqual([200, 200])
    expect(await command("account", "suspend", account)).toEqual({ account_id: account, suspended: true })
    const refusal = { status: 403, body: { error: "FORBIDDEN", reason: "account_suspended" } }
    expect(await send()).toMatchObject(refusal)
    expect(await until(list, ({ status }) => status !== 200)).toMatchObject(refusal)
    const { suspended_at: since } = await command("account", "show", account)
    expect(since).toEqual(expect.any(String))
    await command("account", "resume", account)
    await until(send, ({ status }) => status === 200)
    expect(await command("account", "show", account)).toMatchObject({ suspended_at: null })
  })
})

describe("account credit and debit", () => {
  it("change the balance once for each id, and note the reason", async () => {
    const account = await newAccount("--balance", "1")
    const credit = (amount: string) => command("account", "credit", account, amount, "--id", "INV 7")
    expect(await credit("5")).toMatchObject({ available: 6, repeated: false })
    expect(await credit("5")).toMatchObject({ available: 6, repeated: true })
    const other = await failingCommand("account", "credit", account, "6", "--id", "INV 7")
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("was given to another amount")])
    const debit = (amount: string) => ["account", "debit", account, amount, "--reason", "credited twice"]
    expect(await command(...debit("5.5"))).toMatchObject({ available: 0.5 })
    const tooMuch = await failingCommand(...debit("0.6"))
    expect([tooMuch.code, tooMuch.stderr]).toEqual([1, expect.stringContaining("0.5 EUR available")])
    const { entries } = await command("account", "entries", account)
    expect(entries).toMatchObject([
      { kind: "credit", amount: 1 },
      { kind: "credit", amount: 5, id: "INV 7" },
      { kind: "debit", amount: 5.5, reason: "credited twice", from: "available", to: "funding" }
    ])
    const newest = await command("account", "entries", account, "--newest", "2")
    expect(newest).toMatchObject({ entries: [{ id: "INV 7" }, { kind: "debit" }] })
  })
})

describe("account allow", () => {
  it("binds live keys of a running server to senders within seconds", async () => {
    const account = await newAccount("--sms-sender", "Acme")
    const caller = await callerOf(account)
    // Without a carrier, what may be sent is answered 503.
    const send = (from: string) => request(caller, "/sms", { ...sms, from })
    expect((await send("Bank")).status).toBe(503)
    const callers = "+4930901820000-+4930901820099,+442079460018"
    expect(await command("account", "allow", account, "--senders", "Acme, Acme2", "--callers", callers)).toEqual({
      account_id: account,
      senders: ["Acme", "Acme2"],
      callers: callers.split(","),
      usernames: null
    })
    const refusal = await until(
      () => send("Bank"),
      ({ status }) => status !== 503
    )
    expect(refusal).toMatchObject({ status: 403, body: { error: "FORBIDDEN", reason: "sender_not_allowed" } })
    expect((await send("Acme2")).status).toBe(503)
    expect(await command("account", "show", account)).toMatchObject({
      senders: ["Acme", "Acme2"],
      callers: callers.split(","),
      usernames: null
    })
    await command("account", "allow", account, "--clear", "senders")
    await until(
      () => send("Bank"),
      ({ status }) => status === 503
    )
  })

  describe("refuses", () => {
    let account: string

    beforeAll(async () => {
      account = await newAccount("--sms-sender", "Acme")
      await command("account", "allow", account, "--senders", "Acme")
    })

    it.each([
      [[], "Nothing would change"],
      [["--senders", ""], "--senders must have at least one entry"],
      [["--callers", " , "], "--callers must have at least one entry"],
      [["--clear", ""], "--clear must be one or more of senders, callers, usernames"],
      [["--clear", "senders", "--senders", "Acme"], "--senders and --clear senders exclude each other"],
      [["--senders", "Bank"], "--senders must contain Acme"],
      [["--callers", "030901820"], "--callers[0] must be a phone number"],
      [["--usernames", "x"], "--usernames[0] must be 4 to 32 letters"]
    ])("%o", async (flags, complaint) => {
      const { code, stderr } = await failingCommand("account", "allow", account, ...flags)
      expect([code, stderr]).toEqual([1, expect.stringContaining(complaint)])
    })

    it("changes of lists as a whole: they are as they were", async () => {
      expect(await command("account", "show", account)).toMatchObject({ senders: ["Acme"], callers: null })
    })
  })
})

describe("account callers", () => {
  const caller = "+4930901820123"

  it("has calls of a running server come from the pool within seconds, until it is cleared", async () => {
    const account = await newAccount()
    const sandbox = await callerOf(account, "--sandbox")
    const call = () => request(sandbox, "/call/flash", { callee: sms.to, max_ring_time: 1 })
    expect((await call()).status).toBe(400)
    const pool = { caller_pool: [caller], allow_small_pool: false }
    const told = { account_id: account, numbers: 1, endings: 1 }
    expect(await command("account", "callers", account, caller)).toEqual({ ...told, ...pool })
    const called = await until(call, ({ status }) => status !== 400)
    expect(called).toMatchObject({ status: 200, body: { caller } })
    expect(await command("account", "callers", account)).toEqual({ ...told, ...pool })
    expect(await command("account", "show", account)).toMatchObject({ callers: null, ...pool })
    expect(await command("account", "callers", account, "--clear")).toMatchObject({ caller_pool: null })
    await until(call, ({ status }) => status === 400)
  })

  it.each([
    [["030901820"], "callers[0] must be a phone number"],
    [[""], "callers must have at least one entry"],
    [[caller, "--clear"], "Give either numbers or --clear"],
    [["--allow-small"], "--allow-small needs numbers"]
  ])("refuses %o", async (args, complaint) => {
    const account = await newAccount()
    const { code, stderr } = await failingCommand("account", "callers", account, ...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(complaint)])
  })
})
