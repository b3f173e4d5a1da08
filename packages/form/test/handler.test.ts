/**
 * The handler over a real service, its memory store and its sandbox.
 */
import type { Approval } from "@watchword/form/handler"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { Browser, type Service, handlerOf, start } from "./service.ts"

const to = "+4915123456789"

let world: Service
let approvals: Array<Omit<Approval, "request">>
let faults: Array<unknown>

beforeEach(async () => {
  world = await start()
  approvals = []
  faults = []
})
afterEach(() => world.service.dispose())

const note = ({ session, to, verification }: Approval): void => void approvals.push({ session, to, verification })

const handler = (options: Parameters<typeof handlerOf>[1] = {}) =>
  handlerOf(world, { onApproved: note, onFault: (error) => faults.push(error), country: "DE", ...options })

const starting = { action: "start", to: "0151 23456789", country: "DE", language: "de-AT" }

const wrong = (code: string): string => (code.startsWith("1") ? "2" : "1") + code.slice(1)

describe("a session", () => {
  it("proves a number by the code that was sent to it", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    expect(answer).toMatchObject({
      stage: "code",
      sent: { to: { number: to, written: "+49 1512 3456789" }, checks_left: 5, code_length: 6 },
      problem: null
    })
    const checked = await browser.ask({ action: "check", id: answer.sent.id, code: await world.codeFor(to) })
    expect(checked.answer).toMatchObject({ stage: "approved", problem: null, location: null })
    expect(approvals).toMatchObject([{ to, session: "one", verification: { id: answer.sent.id, status: "approved" } }])
  })

  it("gives its verification what the app says of codes, and a purpose and a name of its own", async () => {
    const browser = new Browser(handler({ purpose: "sign-up", start: { code_length: 4, ttl: 120 } }), "s3cr3t")
    const { answer } = await browser.ask(starting)
    expect(answer.sent.code_length).toBe(4)
    expect(answer.sent.expires_in).toBeLessThanOrEqual(120)
    expect(await world.codeFor(to)).toMatch(/^\d{4}$/)
    const verification = await world.service.verify.get(world.account, answer.sent.id)
    expect(verification.purpose).toMatch(/^sign-up-[0-9a-f]{24}$/)
    expect(verification.client_ref).toMatch(/^session [0-9a-f]{24}$/)
    expect(JSON.stringify(verification)).not.toContain("s3cr3t")
  })

  it("is counted by the address of its device", async () => {
    const handle = handler({ clientIp: () => "192.0.2.7" })
    const numbers = ["0151 23456781", "0151 23456782", "0151 23456783"]
    const answers = []
    for (const [index, number] of numbers.entries()) {
      answers.push(await new Browser(handle, `s${index}`).ask({ ...starting, to: number }))
    }
    expect(answers.map(({ answer, status }) => [status, answer.stage, answer.problem?.reason])).toEqual([
      [200, "code", undefined],
      [200, "code", undefined],
      [429, "number", "too_many"]
    ])
    expect(answers[2]?.answer.problem.wait).toBeGreaterThan(3_000)
  })

  it("hears that codes do not go to a country", async () => {
    const { answer } = await new Browser(handler()).ask({ ...starting, to: "+33 6 12 34 56 78" })
    expect(answer).toMatchObject({ stage: "number", problem: { reason: "country_not_allowed" } })
  })

  it("hears of a wrong code how many are left, and of the last one that it has ended", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const { id } = answer.sent
    const code = wrong(await world.codeFor(to))
    const problems: Array<unknown> = []
    for (let left = 5; left > 0; left -= 1) {
      const { answer } = await browser.ask({ action: "check", id, code })
      problems.push([answer.stage, answer.problem.reason, answer.sent.checks_left])
    }
    expect(problems).toEqual([
      ["code", "wrong_code", 4],
      ["code", "wrong_code", 3],
      ["code", "wrong_code", 2],
      ["code", "wrong_code", 1],
      ["ended", "no_checks", 0]
    ])
    expect(approvals).toEqual([])
  })

  it("spends no check on letters, or on too few digits", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    for (const [code, reason] of [
      ["abcdef", "code_letters"],
      ["12ab56", "code_letters"],
      ["12345", "code_incomplete"],
      ["", "code_incomplete"]
    ]) {
      const checked = await browser.ask({ action: "check", id: answer.sent.id, code })
      expect([code, checked.answer.problem.reason, checked.answer.sent.checks_left]).toEqual([code, reason, 5])
    }
  })

  it("may paste the whole message, in digits of any script", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const arabic = [...(await world.codeFor(to))].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join("")
    const { answer: checked } = await browser.ask({ action: "check", id: answer.sent.id, code: `رمزك هو ${arabic}.` })
    expect(checked.stage).toBe("approved")
  })

  it("sends again once the interval is over, and says how long that takes", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const again = await browser.ask({ action: "resend", id: answer.sent.id })
    expect(again.status).toBe(429)
    expect(again.answer).toMatchObject({ stage: "code", problem: { reason: "too_soon" } })
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(again.answer.sent.resend_in).toBeGreaterThan(0)
  })

  it("takes the next channel, and hears where there is none behind it", async () => {
    await world.service.dispose()
    world = await start({ resendInterval: 0 })
    const workflow = [
      { channel: "sms", timeout: 60 },
      { channel: "call", timeout: 60 }
    ]
    const browser = new Browser(handler({ start: { workflow } }))
    const { answer } = await browser.ask(starting)
    const { id } = answer.sent
    expect(answer.sent).toMatchObject({ channel: "sms", other: "call", sends_left: 4 })
    const again = await browser.ask({ action: "resend", id })
    expect(again.answer.sent).toMatchObject({ channel: "sms", sends_left: 3 })
    const called = await browser.ask({ action: "other", id })
    expect(called.answer).toMatchObject({ problem: null, sent: { channel: "call", other: null } })
    const none = await browser.ask({ action: "other", id })
    expect(none.answer).toMatchObject({ stage: "code", problem: { reason: "no_way" }, sent: { other: null } })
  })

  it("that starts again in another tab sees the code that is on its way", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const other = await browser.ask(starting)
    expect(other.answer).toMatchObject({ stage: "code", sent: { id: answer.sent.id }, problem: { reason: "too_soon" } })
  })

  it("sees no other number's code in the place of one that is on its way", async () => {
    const browser = new Browser(handler())
    await browser.ask(starting)
    await browser.ask({ ...starting, to: "0151 23456780" })
    const { answer } = await browser.ask(starting)
    expect(answer).toMatchObject({ stage: "number", sent: null, problem: { reason: "too_soon" } })
  })

  it("gets a text in its language, which browsers fill into the app's pages", async () => {
    const workflow = [{ channel: "sms", timeout: 60 }]
    const origin = "https://shop.example"
    const browser = new Browser(handler({ origin, start: { workflow } }))
    await browser.ask(starting)
    expect(await world.textFor(to)).toMatch(/^Ihr Code .*\n@shop\.example #\d{6}$/s)
    const other = new Browser(handler({ origin: "http://127.0.0.1:3000", start: { workflow } }), "two")
    await other.ask({ ...starting, language: "no tag at all" })
    expect(await world.textFor(to)).toMatch(/^Your [^@]*$/)
  })

  it("finds its verification by a cookie after a reload", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const state = await browser.ask({ action: "state" })
    expect(state.answer).toMatchObject({ stage: "code", sent: { id: answer.sent.id } })
  })
})

describe("another session", () => {
  it("neither sees nor checks nor sends a verification, and spends none of its checks", async () => {
    const handle = handler()
    const [one, two] = [new Browser(handle), new Browser(handle, "two")]
    const { answer } = await one.ask(starting)
    const { id } = answer.sent
    two.cookies.set("watchword-form", id)
    for (const body of [
      { action: "check", id, code: await world.codeFor(to) },
      { action: "resend", id },
      { action: "other", id },
      { action: "state", id }
    ]) {
      const { answer } = await two.ask(body)
      expect([body.action, answer]).toMatchObject([
        body.action,
        { stage: "ended", sent: null, problem: { reason: "ended" } }
      ])
    }
    expect((await two.ask({ action: "state" })).answer).toMatchObject({ stage: "number", sent: null })
    expect(await two.page()).not.toContain("1512")
    expect((await one.ask({ action: "state" })).answer.sent.checks_left).toBe(5)
    expect(approvals).toEqual([])
  })

  it("has a code of its own for the same number", async () => {
    const handle = handler()
    const [one, two] = [new Browser(handle), new Browser(handle, "two")]
    const first = await one.ask(starting)
    const code = await world.codeFor(to)
    const second = await two.ask(starting)
    expect(second.answer.sent.id).not.toBe(first.answer.sent.id)
    expect(await world.codeFor(to)).not.toBe(code)
    expect((await two.ask({ action: "check", id: second.answer.sent.id, code })).answer.problem.reason).toBe(
      "wrong_code"
    )
  })

  it("without an id is refused with 401, and nothing is sent", async () => {
    const browser = new Browser(handler(), null)
    const { answer, status } = await browser.ask(starting)
    expect([status, answer.stage, answer.problem.reason]).toEqual([401, "ended", "session_ended"])
    expect((await world.service.verify.list(world.account)).total).toBe(0)
  })
})

describe("an approval", () => {
  it("comes once of two right codes at once, and of the same code again", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const check = { action: "check", id: answer.sent.id, code: await world.codeFor(to) }
    const both = await Promise.all([browser.ask(check), browser.ask(check)])
    expect(both.map(({ answer }) => answer.stage)).toEqual(["approved", "approved"])
    expect((await browser.ask(check)).answer.stage).toBe("approved")
    expect(approvals.length).toBe(1)
  })

  it("is answered after the app knows of it, with what the app adds", async () => {
    let isKnown = false
    const onApproved = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      isKnown = true
      return { headers: { "set-cookie": "session=new; Path=/" }, location: "/welcome" }
    }
    const browser = new Browser(handler({ onApproved }))
    const { answer } = await browser.ask(starting)
    const checked = await browser.ask({ action: "check", id: answer.sent.id, code: await world.codeFor(to) })
    expect([isKnown, checked.answer.location]).toEqual([true, "/welcome"])
    expect(browser.cookies.get("session")).toBe("new")
  })

  it("is reported again by the same code if the app failed to note it", async () => {
    let times = 0
    const onApproved = (approval: Approval) => {
      if (++times === 1) throw new Error("the app's database is away")
      note(approval)
    }
    const browser = new Browser(handler({ onApproved }))
    const { answer } = await browser.ask(starting)
    const check = { action: "check", id: answer.sent.id, code: await world.codeFor(to) }
    const failed = await browser.ask(check)
    expect([failed.status, failed.answer.stage, failed.answer.problem.reason]).toEqual([503, "code", "unavailable"])
    expect(faults).toMatchObject([{ message: "the app's database is away" }])
    expect((await browser.ask(check)).answer.stage).toBe("approved")
    expect(approvals.length).toBe(1)
  })

  it("that is old is passed on to no process that has not heard of it", async () => {
    const browser = new Browser(handler())
    const { answer } = await browser.ask(starting)
    const check = { action: "check", id: answer.sent.id, code: await world.codeFor(to) }
    await browser.ask(check)
    const now = Date.now
    try {
      Date.now = () => now() + 601_000
      const later = new Browser(handler())
      expect((await later.ask(check)).answer).toMatchObject({ stage: "ended", problem: { reason: "ended" } })
    } finally {
      Date.now = now
    }
    expect(approvals.length).toBe(1)
  })
})

describe("a request", () => {
  it.each([
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site", origin: "https://evil.shop.example" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, 200],
    [{ "sec-fetch-site": "same-origin", origin: "https://shop.example" }, 200],
    [{ origin: "https://shop.example" }, 200],
    [{}, 200]
  ] as const)("with %o is answered with %i", async (headers, expected) => {
    const { status } = await new Browser(handler()).ask(starting, headers)
    expect(status).toBe(expected)
    expect((await world.service.verify.list(world.account)).total).toBe(expected === 200 ? 1 : 0)
  })

  it.each(["", "{", "[]", "null", '"start"', '{"action":"approve"}', `{"action":"start","to":"${"1".repeat(5_000)}"}`])(
    "with the body %.40s asks for nothing",
    async (body) => {
      const response = await new Browser(handler()).send("POST", body, { "content-type": "application/json" })
      expect(response.status).toBe(400)
      expect(faults).toEqual([])
    }
  )

  it("by https sets cookies for https alone, and for no script or other site", async () => {
    const handle = handler()
    const numbers = ["0151 23456781", "0151 23456782", "0151 23456783"]
    const cookiesBy = async (scheme: string, headers: Readonly<Record<string, string>> = {}) => {
      const init = {
        method: "POST",
        body: JSON.stringify({ ...starting, to: numbers.pop() }),
        headers: { cookie: "session=one", ...headers }
      }
      const { headers: answered } = await handle(new Request(`${scheme}://shop.example/phone`, init))
      return answered.getSetCookie()
    }
    const plain = "; HttpOnly; SameSite=Lax; Max-Age=3600"
    expect(await cookiesBy("https")).toEqual([expect.toSatisfy((set: string) => set.endsWith(`${plain}; Secure`))])
    expect(await cookiesBy("http")).toEqual([expect.toSatisfy((set: string) => set.endsWith(plain))])
    const behind = await cookiesBy("http", { "x-forwarded-proto": "https" })
    expect(behind).toEqual([expect.toSatisfy((set: string) => set.endsWith("; Secure"))])
  })

  it("of another method is refused", async () => {
    expect((await new Browser(handler()).send("DELETE", null, {})).status).toBe(405)
  })

  it.each([
    ["", "number_missing"],
    ["hello", "number_missing"],
    ["12", "number_impossible"],
    ["+49 30 1234567 ext. 5", "number_extension"],
    ["+999 123 4567", "number_impossible"]
  ])("for the number %j names what is wrong", async (number, reason) => {
    const { answer } = await new Browser(handler()).ask({ ...starting, to: number })
    expect(answer).toMatchObject({ stage: "number", problem: { reason } })
  })

  it("for a text of two readings is answered with both", async () => {
    const { answer } = await new Browser(handler()).ask({ ...starting, to: "4915123456789" })
    expect(answer.readings.map(({ written }: { written: string }) => written)).toEqual([
      "+49 491 5123456789",
      "+49 1512 3456789"
    ])
  })

  it("for another country's number sends there, whatever country is chosen", async () => {
    const { answer } = await new Browser(handler()).ask({ ...starting, to: "+44 7400 123456" })
    expect(answer.sent.to.number).toBe("+447400123456")
  })

  it("is answered with a problem where the service does not answer, and the app hears of it", async () => {
    const browser = new Browser(handler())
    await world.service.dispose()
    const { answer, status } = await browser.ask(starting)
    expect([status, answer.stage, answer.problem.reason]).toEqual([503, "number", "unavailable"])
    expect(faults.length).toBe(1)
  })
})

describe("without a script", () => {
  it("a number is proved by posts that are answered with pages", async () => {
    const browser = new Browser(handler({ location: "/welcome" }))
    const page = await browser.page("", { "accept-language": "de-AT,en;q=0.5" })
    expect(page).toContain('<html lang="de" dir="ltr">')
    expect(page).toContain("Deutschland (+49)")
    const sent = await browser.post({ action: "start", to: "0151 23456789", country: "DE", language: "de" })
    expect(sent.location).toBe("?")
    const [, id = ""] = /name="id" value="([^"]+)"/.exec(sent.html) ?? []
    const refused = await browser.post({ action: "check", id, code: wrong(await world.codeFor(to)) })
    expect(refused.html).toContain("That is not the code. Tries left: 4")
    // A reload does not repeat the message.
    expect(await browser.page()).not.toContain("That is not the code")
    const done = await browser.post({ action: "check", id, code: await world.codeFor(to) })
    expect([done.status, done.location]).toEqual([303, "/welcome"])
    expect(approvals.length).toBe(1)
  })

  it("what was typed comes back with what is wrong about it", async () => {
    const browser = new Browser(handler())
    const { html } = await browser.post({ action: "start", to: '12"<', country: "FR", language: "en" })
    expect(html).toContain('value="12&#34;&#60;"')
    expect(html).toContain("Enter your phone number.")
    expect(html).toContain('<option value="FR" selected>')
  })

  it("a text of two readings is asked back", async () => {
    const browser = new Browser(handler())
    const { html } = await browser.post({ action: "start", to: "4915123456789", country: "DE", language: "en" })
    expect(html.match(/type="radio"/g)?.length).toBe(2)
    const chosen = await browser.post({
      action: "start",
      to: "4915123456789",
      reading: to,
      country: "DE",
      language: "en"
    })
    expect(chosen.html).toContain("+49\u00a01512\u00a03456789")
  })

  it("a user takes another number", async () => {
    const browser = new Browser(handler())
    await browser.post({ action: "start", to, country: "DE", language: "en" })
    expect((await browser.post({ action: "forget" })).html).toContain('name="to"')
  })

  it("Arabic is written from right to left, and its number from left to right", async () => {
    const html = await new Browser(handler()).page("?lang=ar")
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('dir="ltr"')
  })

  it("the page is under a strict policy, and is not kept", async () => {
    const response = await new Browser(handler()).send("GET", null, { accept: "text/html" })
    expect(response.headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'"
    )
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(await response.text()).not.toMatch(/ style=|<style|<script>/)
  })

  it("a session that has ended is answered so", async () => {
    const browser = new Browser(handler(), null)
    expect(await browser.page()).toContain("Your session has ended.")
  })

  it("is in the app's own page, where it has one", async () => {
    const browser = new Browser(handler({ page: ({ form, title }) => `<app title="${title}">${form}</app>` }))
    expect(await browser.page()).toMatch(/^<app title="Confirm your phone number"><watchword-form/)
  })
})
