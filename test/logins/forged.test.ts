import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Scripted from "./scriptedProvider.ts"
import * as Service from "./service.ts"
import { visit } from "./service.ts"

const FAILED = "Telegram could not confirm your number"
const APPROVED = "Your number is verified"

let provider: Awaited<ReturnType<typeof Scripted.open>>
let service: Awaited<ReturnType<typeof Service.open>>
beforeEach(async () => {
  provider = await Scripted.open()
  service = await Service.open(provider.issuer)
})
afterEach(async () => {
  await service.stop()
  await provider.stop()
})

const now = () => Math.floor(Date.now() / 1000)

describe("an id_token", () => {
  it.each<[string, string, () => Scripted.Wrong | Promise<Scripted.Wrong>]>([
    ["wrong_issuer", "of another issuer", () => ({ claims: { iss: "https://oauth.telegram.org" } })],
    ["wrong_audience", "for another client", () => ({ claims: { aud: "other" } })],
    [
      "wrong_audience",
      "for several, asked for by another",
      () => ({ claims: { aud: [Service.CLIENT.clientId, "other"] } })
    ],
    ["wrong_audience", "that another client asked for", () => ({ claims: { azp: "other" } })],
    ["wrong_nonce", "of another sign-in", () => ({ claims: { nonce: "0".repeat(32) } })],
    ["wrong_nonce", "with an empty nonce", () => ({ claims: { nonce: "" } })],
    ["expired", "that has expired", () => ({ claims: { exp: now() - 31 } })],
    ["malformed", "without an end", () => ({ without: ["exp"] })],
    ["malformed", "whose end is a text", () => ({ claims: { exp: String(now() + 60) } })],
    ["too_old", "of long ago", () => ({ claims: { iat: now() - 700 } })],
    ["malformed", "without a time", () => ({ without: ["iat"] })],
    ["malformed", "without a subject", () => ({ without: ["sub"] })],
    ["not_yet", "of the future", () => ({ claims: { iat: now() + 90 } })],
    ["not_yet", "that begins later", () => ({ claims: { nbf: now() + 90 } })],
    ["wrong_algorithm", "under another algorithm", async () => ({ by: await Scripted.signer("ES256", "one") })],
    ["wrong_signature", "by another key of the same name", async () => ({ by: await Scripted.signer("RS256", "one") })],
    ["wrong_signature", "by a key that is not in the set", async () => ({ by: await Scripted.signer("RS256", "two") })],
    ["malformed", "with a header that must be understood", () => ({ header: { crit: ["b64"], b64: true } })],
    ["wrong_signature", "whose claims were changed", () => ({ spoil: withNumber("+4915199999999") })],
    ["wrong_algorithm", "without a signature", () => ({ spoil: unsigned })],
    ["malformed", "that is not one", () => ({ spoil: () => "a.b" })],
    ["malformed", "that is endless", () => ({ spoil: (token) => token + "A".repeat(20_000) })]
  ])("is refused as %s: %s", async (reason, _, wrong) => {
    const { now: state, uri } = await service.start()
    provider.script.wrong = await wrong()
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
    expect(await state()).toMatchObject({ status: "pending" })
    expect(service.lines.join("\n")).toContain(`a sign-in with Telegram has shown no number: ${reason}`)
    provider.script.wrong = {}
    expect(await visit(provider.back(uri))).toMatchObject({ status: 200, title: APPROVED })
  })

  it.each<[string, () => Scripted.Wrong]>([
    ["of a clock that is 20 s ahead", () => ({ claims: { iat: now() + 20 } })],
    ["that ended 20 s ago", () => ({ claims: { exp: now() - 20 } })],
    [
      "for several clients, asked for by this one",
      () => ({ claims: { aud: ["other", Service.CLIENT.clientId], azp: Service.CLIENT.clientId } })
    ],
    ["without a nonce, as Telegram's", () => ({ without: ["nonce"] })],
    ["with a number without a plus sign", () => ({ claims: { phone_number: Service.NUMBER.slice(1) } })],
    ["with a number as people write it", () => ({ claims: { phone_number: "+49 1512 3456789" } })]
  ])("is taken: %s", async (_, wrong) => {
    provider.script.wrong = wrong()
    const { uri } = await service.start()
    expect((await visit(provider.back(uri))).title).toBe(APPROVED)
  })

  it.each<[string, Scripted.Wrong]>([
    ["is missing", { without: ["phone_number"] }],
    ["is not verified", { claims: { phone_number_verified: false } }],
    ["is not a number", { claims: { phone_number: "Anna" } }],
    ["is no text", { claims: { phone_number: 4915123456789 } }]
  ])("whose number %s shares none", async (_, wrong) => {
    provider.script.wrong = wrong
    const { uri } = await service.start()
    expect((await visit(provider.back(uri))).title).toBe("Telegram did not share your number")
  })
})

describe("keys", () => {
  it("that the provider has changed are read once more", async () => {
    const first = await service.start()
    expect((await visit(provider.back(first.uri))).title).toBe(APPROVED)
    const next = await Scripted.signer("RS256", "next")
    provider.script.keys = [...provider.script.keys, next.jwk]
    provider.script.wrong = { by: next }
    const second = await service.start("+4915123456788")
    expect((await visit(provider.back(second.uri))).title).not.toBe(FAILED)
    provider.script.wrong = {}
    const third = await service.start("+4915123456787")
    expect((await visit(provider.back(third.uri))).title).not.toBe(FAILED)
    expect(provider.asked.filter((path) => path === "/jwks")).toHaveLength(2)
  })

  it("of another kind, or broken, are passed over", async () => {
    const odd = [null, "key", {}, { kty: "RSA", kid: "one", n: "AQAB", e: "AQAB" }, { kty: "oct", kid: "one", k: "AA" }]
    provider.script.keys = [...odd, (await Scripted.signer("ES256", "one")).jwk, ...provider.script.keys]
    const { uri } = await service.start()
    expect((await visit(provider.back(uri))).title).toBe(APPROVED)
  })
})

describe("a provider", () => {
  it.each([
    ["that answers with an error", 500, "{}"],
    ["that answers rubbish", 200, "<html>"],
    ["that answers a list", 200, "[]"],
    ["that answers without an id_token", 200, '{"access_token":"x"}'],
    ["that leads elsewhere", 307, ""]
  ])("%s confirms nothing, and the next one does", async (_, status, body) => {
    const { uri } = await service.start()
    provider.script.answers.set("/token", (response) => {
      response
        .writeHead(status, { "content-type": "application/json", location: `${provider.issuer}/elsewhere` })
        .end(body)
    })
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
    expect(provider.asked).not.toContain("/elsewhere")
    provider.script.answers.clear()
    expect((await visit(provider.back(uri))).title).toBe(APPROVED)
  })

  it("that answers a right token within 10 MB confirms nothing", async () => {
    const { uri } = await service.start()
    provider.script.padding = 10_000_000
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
    provider.script.padding = 10_000
    expect((await visit(provider.back(uri))).title).toBe(APPROVED)
  })

  it("that hangs up is answered for within the time limit", async () => {
    const { uri } = await service.start()
    provider.script.answers.set("/token", (response) => void response.destroy())
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
    // It begins to answer, and never ends.
    provider.script.answers.set("/token", (response) => void response.writeHead(200).write("{"))
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
  })

  it("is down in the service's health while it does not answer", async () => {
    const health = async () => {
      const answer = await service.service.operations({
        method: "GET",
        path: "/readyz",
        headers: {},
        body: { _tag: "Absent" },
        remoteAddress: null
      })
      const { checks }: { readonly checks: Readonly<Record<string, string>> } = JSON.parse(String(answer.body))
      return [answer.status, checks["telegram_login:telegram"]]
    }
    const { uri } = await service.start()
    expect(await health()).toEqual([200, "up"])
    // It costs nothing, so that it needs no price.
    expect(service.lines.join("\n")).not.toContain("No prices are set")
    provider.script.answers.set("/token", (response) => void response.destroy())
    await visit(provider.back(uri))
    expect(await health()).toEqual([200, "down"])
    provider.script.answers.clear()
    await visit(provider.back(uri))
    expect(await health()).toEqual([200, "up"])
  })

  it("that is down does not keep a verification from starting", async () => {
    await provider.stop()
    const other = await Service.open(provider.issuer)
    const { started, uri } = await other.start()
    expect(uri).toContain(`${provider.issuer}/auth?response_type=code&client_id=bot+12%3A34`)
    expect(started.status).toBe("pending")
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
    await other.stop()
    provider = await Scripted.open()
  })

  it.each([
    ["of another issuer", { issuer: "https://oauth.telegram.org" }],
    ["without endpoints", { token_endpoint: null }],
    ["with an endpoint of another kind", { jwks_uri: "ftp://127.0.0.1/jwks" }]
  ])("whose document is %s is not asked for a token", async (_, metadata) => {
    provider.script.metadata = metadata
    const other = await Service.open(provider.issuer)
    const { uri } = await other.start()
    expect(await visit(provider.back(uri))).toMatchObject({ status: 502, title: FAILED })
    expect(provider.asked).not.toContain("/token")
    await other.stop()
  })
})

describe("a return with wrong parameters is refused, and the provider is not asked", () => {
  const INVALID = { status: 400, title: "This link is not valid" }

  it.each<[string, (back: URL) => void]>([
    ["no state", (back) => back.searchParams.delete("state")],
    ["an empty state", (back) => back.searchParams.set("state", "")],
    ["a state that was not made here", (back) => back.searchParams.set("state", `${"0".repeat(21)}-${"0".repeat(16)}`)],
    ["a state with another MAC", (back) => back.searchParams.set("state", changed(back.searchParams.get("state")))],
    ["two states", (back) => back.searchParams.append("state", back.searchParams.get("state") ?? "")],
    ["no code", (back) => back.searchParams.delete("code")],
    ["an empty code", (back) => back.searchParams.set("code", "")],
    ["two codes", (back) => back.searchParams.append("code", "x")],
    ["a code without an end", (back) => back.searchParams.set("code", "x".repeat(3_000))],
    ["another issuer", (back) => back.searchParams.set("iss", "https://oauth.telegram.org")],
    ["the page of the sandbox", (back) => void (back.pathname += "/sandbox")]
  ])("%s", async (_, spoil) => {
    const { now: state, uri } = await service.start()
    const back = new URL(provider.back(uri, { iss: provider.issuer }))
    expect(provider.asked).not.toContain("/token")
    spoil(back)
    expect(await visit(back.href)).toMatchObject(INVALID)
    expect(provider.asked).not.toContain("/token")
    expect(await state()).toMatchObject({ status: "pending" })
  })

  it("a link by which codes are guessed", async () => {
    const { uri } = await service.start()
    const back = new URL(provider.back(uri))
    const guess = async (code: number) => {
      back.searchParams.set("code", `guess ${code}`)
      return visit(back.href)
    }
    for (let code = 0; code < 10; code++) expect(await guess(code)).toMatchObject({ status: 502 })
    expect(provider.asked.filter((path) => path === "/token")).toHaveLength(10)
    expect(await guess(10)).toMatchObject(INVALID)
    expect(provider.asked.filter((path) => path === "/token")).toHaveLength(10)
    const other = await service.start("+4915123456788")
    expect((await visit(provider.back(other.uri))).title).not.toBe(INVALID.title)
  })

  it("an error of the provider is not repeated", async () => {
    const { uri } = await service.start()
    const { searchParams } = new URL(uri)
    const query = new URLSearchParams({ error: "<b>", state: searchParams.get("state") ?? "" })
    const page = await visit(`${service.url}/login/telegram?${query}`)
    expect(page).toMatchObject({ status: 502, title: FAILED })
    expect(page.html + service.lines.join("\n")).not.toContain("<b>")
    for (let more = 0; more < 20; more++) await visit(`${service.url}/login/telegram?${query}`)
    expect(service.lines.filter((line) => line.includes("has shown no number: error"))).toHaveLength(10)
  })
})

it("nothing secret is in the log", async () => {
  const { uri } = await service.start()
  provider.script.wrong = { claims: { aud: "other" } }
  const back = provider.back(uri)
  await visit(back)
  const log = service.lines.join("\n")
  expect(log).toContain("wrong_audience")
  for (const secret of [Service.CLIENT.clientSecret, Service.NUMBER, new URL(uri).searchParams.get("nonce") ?? ""]) {
    expect(log).not.toContain(secret)
  }
  expect(log).not.toContain((new URL(back).searchParams.get("state") ?? "").slice(0, 21))
})

const changed = (state: string | null): string => `${state?.slice(0, -1)}${state?.endsWith("0") === true ? "1" : "0"}`

const withNumber =
  (number: string) =>
  (token: string): string => {
    const [head, body = "", mac] = token.split(".")
    const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString())
    return [
      head,
      Buffer.from(JSON.stringify(Object.assign({}, claims, { phone_number: number }))).toString("base64url"),
      mac
    ].join(".")
  }

const unsigned = (token: string): string => {
  const [, body] = token.split(".")
  return [Buffer.from('{"alg":"none","kid":"one"}').toString("base64url"), body, "AA"].join(".")
}
