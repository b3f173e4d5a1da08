import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory } from "watchword"

let service: Watchword
let account: string

beforeAll(async () => {
  service = await createWatchword({ store: memory(), secret: "0123456789abcdef0123456789abcdef" })
  account = (await service.operator.account.create({ name: "Acme" })).account_id
})

afterAll(() => service.dispose())

const to = "+4915123456789"
const text = "Your code is 123456"

/** Calls a method by its path, as an untyped program may, and returns the rejection's message. */
const failureOf = async (path: string, ...args: ReadonlyArray<unknown>): Promise<unknown> => {
  let owner: unknown
  let member: unknown = service
  for (const name of path.split(".")) {
    owner = member
    member = Reflect.get(Object(member), name)
  }
  if (typeof member !== "function") throw new Error(`there is no ${path}`)
  return Promise.resolve(Reflect.apply(member, owner, args)).then(
    () => expect.fail("it resolved"),
    (error: unknown) => error
  )
}

const sandbox = () => ({ account, sandbox: true })

describe("a field that there is not is refused", () => {
  it.each([
    ["sms.send", { to, text, txet: "y" }, "txet", "text"],
    ["sms.list", { filters: {} }, "filters", "filter"],
    ["sms.report", { messageId: "1", status: "sent" }, "messageId", "id"],
    ["call.flash", { callee: to, to }, "to", "callee"],
    ["chatgw.send", { to, code: "123456", Body: "" }, "Body", "one of to, code, ttl"],
    ["bizchat.send", { to, text, message: "" }, "message", "text"],
    ["verify.start", { to, channel: "call" }, "channel", "workflow"],
    ["verify.check", { code: "123456", to, verificationId: "" }, "verificationId", "verification_id"],
    ["verify.list", { rowsPerPage: 3 }, "rowsPerPage", "rows_per_page"],
    ["sandbox.inbox", { phone: to }, "phone", "to"]
  ])("by %s with %j", async (path, body, field, use) => {
    const { issues, message } = Object(await failureOf(path, sandbox(), body))
    expect(issues[0]).toEqual({ path: field, message: expect.stringContaining(`is not a field; use ${use}`) })
    expect(message).toContain(`${field} is not a field; use ${use}`)
  })

  it("in the caller and in the keys", async () => {
    const message = { to, text }
    expect(await failureOf("sms.send", { account, sandbx: true }, message)).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("sandbx is not a field; use sandbox.")
    })
    expect(await failureOf("sms.send", sandbox(), message, { idempotency_key: "a" })).toMatchObject({
      message: "idempotency_key is not a field; use idempotencyKey."
    })
  })

  it.each([
    ["account.create", { name: "Acme", smsender: "Acme" }, "smsender is not a field; use sms_sender."],
    ["key.create", { acount: "acc" }, "acount is not a field; use one of account_id"],
    ["key.rotate", { key_id: "key", overlaps: 0 }, "overlaps is not a field; use overlap"],
    [
      "account.credit",
      { account_id: "acc", amount: 1, note: "x" },
      "note is not a field; use one of account_id, amount, id, reason"
    ],
    ["why", { number: to, from: new Date() }, "from is not a field; use one of number, default_country, since"],
    ["erase", { number: to, rewriet: true }, "rewriet is not a field; use rewrite."],
    ["account.allow", { account_id: "acc", sender: ["Acme"] }, "sender is not a field; use senders."],
    ["account.callers", { account_id: "acc", allowsmall: true }, "allowsmall is not a field; use allow_small."],
    ["webhook.add", { URL: "https://acme.example", event: ["*"] }, "event is not a field; use events"],
    ["webhook.rotate", { webhook_id: "whk", overlapp: 1 }, "overlapp is not a field"],
    ["retention.set", { text: 1 }, "text is not a field; use texts."],
    ["guard.set", { account_id: "acc", rules: { limit: {} } }, "limit is not a field; use limits."],
    ["account.verify", { account_id: null, brandd: "Acme" }, "brandd is not a field; use brand."],
    ["account.testNumber.add", { account_id: "acc", numbr: to }, "numbr is not a field; use number"],
    ["template.set", { name: "a", locale: "en", body: "{code}" }, "body is not a field; use text"],
    ["account.list", { page: 1 }, "page is not a field"]
  ])("by operator.%s", async (path, input, message) => {
    const given = "account_id" in input && input.account_id === "acc" ? { ...input, account_id: account } : input
    const error = await failureOf(`operator.${path}`, given)
    expect(error).toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining(message) })
  })
})

describe("a rejection", () => {
  it("says in its message which argument is wrong", async () => {
    expect(await failureOf("verify.start", sandbox(), { to: "0151" })).toMatchObject({
      message: expect.stringMatching(/^to must .*\.$/)
    })
    expect(await failureOf("sms.send", sandbox(), { to: "0151" })).toMatchObject({
      message: expect.stringMatching(/^to must .*; text is required\.$/)
    })
  })

  it("has the function that called in its stack", async () => {
    const signUp = async () => {
      await service.verify.start(sandbox(), { to: "0151" })
    }
    const error: unknown = await signUp().catch((reason: unknown) => reason)
    expect(Object(error).stack).toMatch(/^BAD_REQUEST: to must [^]*\n +at (?:async )?signUp .*mistakes\.test\.ts/)
    const lookUp = async () => {
      await service.verify.get(account, "vrf_unknown")
    }
    const unknown: unknown = await lookUp().catch((reason: unknown) => reason)
    expect(Object(unknown).stack).toMatch(/^NOT_FOUND: [^]*\n +at (?:async )?lookUp /)
    const operate = async () => {
      await service.operator.key.revoke({ key_id: "acc" })
    }
    const refused: unknown = await operate().catch((reason: unknown) => reason)
    expect(Object(refused).stack).toMatch(/^BAD_REQUEST: key_id must [^]*\n +at (?:async )?operate /)
  })

  it.each([
    ["key.create", "acc", "must be an object: operator.key.create({ account_id })"],
    ["account.list", "acc", "must be an object: operator.account.list({})"],
    ["account.testNumber.list", null, "must be an object: operator.account.testNumber.list({ account_id })"],
    ["key.create", undefined, "account_id is required"],
    ["key.list", { account_id: { account: "acc" } }, "account_id must be a string"],
    ["key.revoke", { key_id: "acc" }, "key_id must be a key id"]
  ])("of operator.%s with %j says what it takes", async (path, input, message) => {
    expect(await failureOf(`operator.${path}`, input)).toMatchObject({ message: expect.stringContaining(message) })
  })
})

describe("a start refuses", () => {
  const started = async (options: object): Promise<unknown> =>
    Promise.resolve(Reflect.apply(createWatchword, undefined, [{ store: memory(), ...options }])).then(
      () => expect.fail("it started"),
      (error: unknown) => error
    )

  it.each([
    [{ sms: "smpp://id:secret@smsc.example.com" }, 'in sms a gateway, for example smpp({ url: "smpp://'],
    [{ call: "sip:trunk" }, 'in call a gateway, for example sip({ url: "sip:'],
    [{ publicUrl: "otp.example.com/v1" }, "in publicUrl an http or https address"],
    [{ publicUrl: "https://user:secret@otp.example.com" }, "in publicUrl an http or https address"],
    [{ chatgw: "AAEAAA" }, "in chatgw a gateway, for example telegram("],
    [{ bizchat: { token: "secret" } }, "in bizchat a gateway, for example whatsapp("],
    [{ sms: null }, "has been given null"],
    [{ pages: {} }, "in pages pages, for example Docs.layer("],
    [{ logger: () => {} }, "in logger an object with debug, info, warn or error, such as console"],
    [{ logger: { log: () => {} } }, "in logger an object with"]
  ])("%j, and says what makes it", async (options, message) => {
    const error = await started(options)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: expect.stringContaining(message) })
    expect(String(error)).not.toContain("secret")
  })

  it("no logger of an app", async () => {
    for (const logger of [console, { warn: () => {} }]) {
      const service = await createWatchword({ store: memory(), logger })
      await expect(service.dispose()).resolves.toBeUndefined()
    }
  })
})

describe("a service", () => {
  it("refuses an event without a handler", () => {
    expect(() => Reflect.apply(service.on, undefined, ["verification.approved"])).toThrow(
      new TypeError('on("verification.approved") needs a function to call')
    )
  })

  it("without a call gateway says so before it asks for a caller", async () => {
    expect(await failureOf("call.flash", account, { callee: to })).toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  })
})
