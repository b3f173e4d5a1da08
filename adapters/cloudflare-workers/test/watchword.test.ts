import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "../../../test/until.ts"
import { open } from "./workerd.ts"

describe("a Worker", () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${opened.origin}/v1${path}`, {
      method,
      headers: {
        "x-api-key": opened.key,
        "x-account-id": opened.account,
        "content-type": "application/json",
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
  }

  /** Asks until the record says what is expected of it. */
  const become = async (path: string, field: string, value: unknown) => {
    const { body } = await until(
      () => ask("GET", path),
      ({ body }) => body[field] === value
    )
    return body
  }

  const sms = (more: object = {}) => ({ to: "+4915123456789", text: "Your code is 123456", from: "Acme", ...more })

  it("goes on after its answer: the sandbox's receipt comes a second later", async () => {
    const sent = await ask("POST", "/sms", sms())
    expect(sent.status).toBe(200)
    const record = `/sms/${sent.body.messageId}/sdr`
    expect((await ask("GET", record)).body.status).toBe("sent")
    await become(record, "status", "delivered")
  })

  it("answers many at the same time, each with its own", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `Your code is ${1000 + index}`)
    const answers = await Promise.all(
      texts.map((text, index) => ask("POST", "/sms", sms({ text, to: `+49151234560${10 + index}` })))
    )
    expect(answers.map(({ body }) => body.to)).toEqual(texts.map((_, index) => `+49151234560${10 + index}`))
    const list = await ask("POST", "/sms/sdr", { rows_per_page: 100 })
    expect(list.body.list.length).toBeGreaterThanOrEqual(40)
  })

  it("sends a code by chat, and knows it again", async () => {
    const sent = await ask("POST", "/chatgw", { to: "+4915123456789", code: "482913" })
    expect(sent.status).toBe(200)
    const { request_id, uuid } = sent.body
    await become(`/chatgw/${uuid}/tdr`, "delivery_status", "delivered")
    const check = (code: string) => ask("POST", "/chatgw/check-verification-status", { request_id, code })
    expect((await check("000000")).body.verification_status.status).toBe("code_invalid")
    expect((await check("482913")).body.verification_status.status).toBe("code_valid")
  })

  it("makes the sandbox's phones ring, and lets them be hung up", async () => {
    const call = (callee: string) => ask("POST", "/call/flash", { callee, caller: "+4930901820123" })
    const rung = await call("+4915123456789")
    expect(rung.status).toBe(200)
    expect((await ask("DELETE", `/call/flash/${rung.body.uuid}`)).status).toBeLessThan(300)
    const record = await become(`/call/flash/${rung.body.uuid}/cdr`, "hangup_cause", "ORIGINATOR_CANCEL")
    expect(record.uuid).toBe(rung.body.uuid)
  })

  it("answers 603 as 486, and says so", async () => {
    const declined = await ask("POST", "/call/flash", { callee: "+4915123450603", caller: "+4930901820123" })
    expect([declined.status, declined.headers.get("x-status"), declined.body.error]).toEqual([486, "603", "DECLINE"])
    const busy = await ask("POST", "/call/flash", { callee: "+4915123450486", caller: "+4930901820123" })
    expect([busy.status, busy.headers.get("x-status"), busy.body.error]).toEqual([486, null, "BUSY_HERE"])
  })

  it("believes the address that the proxy writes", async () => {
    const from = (address: string) =>
      ask("POST", "/sms/sdr", {}, { "x-api-key": opened.nearKey, "cf-connecting-ip": address })
    expect((await from("192.0.2.7")).status).toBe(200)
    expect((await from("198.51.100.7")).status).toBe(401)
  })

  it("is looked after by the clock: sends that no request waits for any more are doubted after two minutes", async () => {
    const db = await opened.worker.getD1Database("DB")
    const leave = async (to: string, ago: number) => {
      await ask("POST", "/sms", sms({ to }))
      const sql = "UPDATE deliveries SET phase = 0, created_at = ?1 WHERE recipient = ?2"
      await db
        .prepare(sql)
        .bind(Date.now() - ago, to)
        .run()
    }
    await leave("+4915123450001", 130_000)
    await leave("+4915123460001", 0)
    expect(await opened.tick()).toBe("ok")
    const { results } = await db.prepare("SELECT phase FROM deliveries WHERE recipient LIKE '%0001' ORDER BY id").all()
    expect(results).toEqual([{ phase: 1 }, { phase: 0 }])
  })
})
