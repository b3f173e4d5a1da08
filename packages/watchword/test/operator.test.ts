import { commands } from "@watchword/operator/commands"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Watchword, createWatchword, memory, operatorOf, watchwordConsole } from "watchword"

let service: Watchword

beforeEach(async () => {
  service = await createWatchword({ store: memory() })
})

afterEach(() => service.dispose())

/** The member at a command's path, as a program spells it. */
const memberOf = (words: ReadonlyArray<string>): unknown =>
  words.reduce<unknown>(
    (found, word) =>
      Reflect.get(
        Object(found),
        word.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      ),
    service.operator
  )

describe("service.operator", () => {
  it.each(commands.map(({ name }) => [name.join(" "), name] as const))("has %s", (_, name) => {
    expect(memberOf(name)).toBeInstanceOf(Function)
  })

  it("takes ids as texts, and answers times in ISO 8601", async () => {
    const { account_id: account } = await service.operator.account.create({ name: "Acme" })
    const { until } = await service.operator.guard.block({ place: "+2348", for: 3600, account_id: account })
    expect(new Date(until).toISOString()).toBe(until)
    expect(await service.operator.guard.list({ account_id: account })).toMatchObject({
      guards: [{ blocks: [{ place: "+2348", until }] }]
    })
  })

  it("refuses durations in milliseconds, and dates without a time, by the field", async () => {
    const { guard, key, operator } = service.operator
    const { account_id: account } = await service.operator.account.create()
    const { key_id: keyId } = await key.create({ account_id: account })
    const issue = (path: string, message: string) => ({ code: "BAD_REQUEST", issues: [{ path, message }] })
    const month = issue("for", "must be whole seconds, 1 to 2592000 (30 days)")
    for (const seconds of [3_600_000, 0.5, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(guard.block({ place: "+2348", for: seconds })).rejects.toMatchObject(month)
    }
    await expect(operator.grant({ name: "anna", role: "support", for: 31_622_401 })).rejects.toMatchObject(
      issue("for", "must be whole seconds, 1 to 31622400 (366 days)")
    )
    await expect(key.rotate({ key_id: keyId, overlap: 100_000_000 })).rejects.toMatchObject(
      issue("overlap", "must be whole seconds, 0 to 99999999")
    )
    await expect(key.create({ account_id: account, expires: "tomorrow" })).rejects.toMatchObject(
      issue("expires", "must be a time in ISO 8601, for example 2027-01-31T12:00:00Z")
    )
  })

  it("takes the longest durations in seconds", async () => {
    const { guard, key, operator } = service.operator
    const { account_id: account } = await service.operator.account.create()
    const { key_id: keyId } = await key.create({ account_id: account })
    const day = 86_400
    expect(await guard.block({ place: "+2348", for: 30 * day })).toMatchObject({ place: "+2348" })
    expect(await operator.grant({ name: "anna", role: "support", for: 366 * day })).toHaveProperty("token")
    expect(await key.rotate({ key_id: keyId, overlap: 0 })).toHaveProperty("key")
  })

  it("looks at and cancels verifications of all accounts, and says who may use its API", async () => {
    const { operator } = service
    const { account_id: account } = await operator.account.create({ name: "Acme" })
    const { id } = await service.verify.start({ account, sandbox: true }, { to: "+4915123456789" })
    const { verifications } = await operator.verification.list({ account_id: account })
    expect(verifications).toMatchObject([{ id, account_id: account, status: "pending" }])
    expect(await operator.verification.cancel({ verification_id: id })).toEqual({
      verification_id: id,
      status: "canceled"
    })
    expect(await operator.verification.show({ verification_id: id })).toMatchObject({ id, status: "canceled" })
    const granted = await operator.operator.grant({ name: "anna", role: "support" })
    expect(await operator.operator.list()).toMatchObject({ operators: [{ id: granted.id, name: "anna" }] })
  })

  it("is in the operators' log under the name that the app gives, without secrets", async () => {
    const anna = service.operator.as("anna")
    const { account_id: account } = await service.operator.account.create({ name: "Acme" })
    const { key, key_id: keyId } = await anna.key.create({ account_id: account })
    await expect(anna.guard.remove({ entry: "+2348" })).rejects.toMatchObject({ code: "BAD_REQUEST" })
    await anna.account.show({ account_id: account })
    const { entries } = await service.operator.operator.log()
    expect(entries.map(({ by, command, outcome, who }) => [who, by, command, outcome])).toEqual([
      ["anna", "program", "guard remove", "BAD_REQUEST"],
      ["anna", "program", "key create", "done"],
      ["program", "program", "account create", "done"]
    ])
    expect(entries[1]).toMatchObject({ input: { account_id: account }, output: { key_id: keyId } })
    expect(JSON.stringify(entries)).not.toContain(key)
  })

  it("ends with the service", async () => {
    await service.dispose()
    await expect(service.operator.account.list()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  })
})

describe("functions of a service", () => {
  const wrapped: ReadonlyArray<readonly [string, (of: Watchword) => Watchword]> = [
    ["a copy", (of) => ({ ...of })],
    ["a proxy", (of) => new Proxy(of, {})],
    ["a service with another handle", (of) => ({ ...of, handle: (request) => of.handle(request) })]
  ]

  it.each(wrapped)("find it in %s", async (_, wrap) => {
    const found = wrap(service)
    const { account_id: account } = await operatorOf(found).account.create()
    const handler = watchwordConsole(found, { authorize: () => ({ name: "anna", role: "support" }) }).fetch
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" }
    const request = new Request("https://example.com/ops/operator/v1/account/list", {
      method: "POST",
      headers,
      body: "{}"
    })
    expect(await (await handler(request)).json()).toMatchObject({ accounts: [{ account_id: account }] })
  })

  it("throw for what is no service", () => {
    const none = Object(null)
    expect(() => operatorOf(none)).toThrow("operatorOf needs a service of createWatchword")
    expect(() => watchwordConsole(none, { authorize: () => null }).fetch).toThrow(
      "the console needs a service of createWatchword"
    )
  })
})
